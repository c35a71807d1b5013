/* wanted_lanes.c: a vector of whose elements only the first ones are wanted is read no further.
 *
 * Needs the optimized module. In local memory a pack reads elements of lanes that are off, too; in a tree's last rounds that is most
 * of them, and beyond what it wants begins what another store has just written. A processor forwards what one store has
 * written, and waits for memory where a read takes of two. Gives k->run with loads of as many elements, a power of two, as
 * are wanted, where that is at most half of them:
 *     %p = load <16 x float>, ptr %at                     %h = load <8 x float>, ptr %at
 *                                                         %p = shufflevector %h, poison, <0 ... 7, poison ...>
 *     %s = fadd <16 x float> %x, %p            becomes    ...
 *     %n = shufflevector %s, %x, <0 ... 7, 24 ... 31>
 * Lanes are wanted by what isn't lane by lane; by selects and shuffles as their constants have it. */
#include "post.h"

enum {
    DEPTH = 4,
    MOST_USES = 8
}; /* operations to what wants lanes, and how many of one value are looked at */

/* Lane by lane, without an effect of its own where a lane is poison. */
static bool is_lane_by_lane(LLVMValueRef user) {
    static const char *const functions[] = {
        "llvm.fma.",  "llvm.fmuladd.", "llvm.fabs.", "llvm.minnum.",     "llvm.maxnum.",    "llvm.smin.",
        "llvm.smax.", "llvm.umin.",    "llvm.umax.", "llvm.minimumnum.", "llvm.maximumnum."};
    bool found = LLVMIsABinaryOperator(user)
                     ? !ir_is_division(user)
                     : LLVMIsAUnaryOperator(user) || LLVMIsAFCmpInst(user) || LLVMIsAICmpInst(user) ||
                           LLVMIsAFreezeInst(user) || (LLVMIsACastInst(user) && !LLVMIsABitCastInst(user));
    for (size_t i = 0; !found && LLVMIsACallInst(user) && i < sizeof functions / sizeof *functions; i++) {
        found = ir_is_intrinsic(user, functions[i]);
    }
    return found;
}

static uint64_t wanted(LLVMValueRef v, unsigned depth);

static uint64_t wanted_by_shuffle(LLVMValueRef shuffle, LLVMValueRef v) {
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(v));
    uint64_t found = 0;
    for (unsigned i = 0; i < LLVMGetNumMaskElements(shuffle); i++) {
        int from = LLVMGetMaskValue(shuffle, i);
        for (unsigned o = 0; from >= 0 && o < 2; o++) {
            bool is_here = (unsigned)from / lanes == o && LLVMGetOperand(shuffle, o) == v;
            found |= is_here ? UINT64_C(1) << (unsigned)from % lanes : 0;
        }
    }
    return found;
}

/* The vector is what a select takes where its condition, a vector, is `on`. */
static uint64_t wanted_by_side(LLVMValueRef condition, bool on, unsigned lanes) {
    uint64_t found = 0;
    for (unsigned i = 0; i < lanes; i++) {
        LLVMValueRef bit = LLVMIsAConstant(condition) ? LLVMGetAggregateElement(condition, i) : NULL;
        bool is_known = bit && LLVMIsAConstantInt(bit);
        found |= is_known && LLVMConstIntGetZExtValue(bit) != on ? 0 : UINT64_C(1) << i;
    }
    return found;
}

static uint64_t wanted_by(LLVMValueRef user, LLVMValueRef v, unsigned depth) {
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(v));
    if (LLVMIsAShuffleVectorInst(user)) {
        return wanted_by_shuffle(user, v);
    }
    if (LLVMIsAExtractElementInst(user) && LLVMIsAConstantInt(LLVMGetOperand(user, 1))) {
        uint64_t lane = LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1));
        return lane < lanes ? UINT64_C(1) << lane : 0;
    }
    if (LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) != v) {
        LLVMValueRef condition = LLVMGetOperand(user, 0);
        bool is_scalar = LLVMGetTypeKind(LLVMTypeOf(condition)) != LLVMVectorTypeKind;
        uint64_t found = wanted(user, depth);
        for (unsigned o = 1; !is_scalar && o <= 2; o++) {
            bool other_too = LLVMGetOperand(user, 3 - o) == v;
            found &= LLVMGetOperand(user, o) == v && !other_too ? wanted_by_side(condition, o == 1, lanes)
                                                                : UINT64_MAX;
        }
        return found;
    }
    return is_lane_by_lane(user) ? wanted(user, depth) : UINT64_MAX;
}

/* The lanes of the value that count: all, where it isn't worth the look. */
static uint64_t wanted(LLVMValueRef v, unsigned depth) {
    uint64_t found = 0;
    unsigned uses = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && found != UINT64_MAX; u = LLVMGetNextUse(u)) {
        found |= depth && ++uses <= MOST_USES ? wanted_by(LLVMGetUser(u), v, depth - 1) : UINT64_MAX;
    }
    return found;
}

static void read_no_further(LLVMValueRef load) {
    enum { LEAST = 2, WIDEST = 64 };
    LLVMTypeRef type = LLVMTypeOf(load);
    unsigned lanes = LLVMGetVectorSize(type), n = LEAST;
    uint64_t found = lanes <= WIDEST ? wanted(load, DEPTH) : 0;
    while (n < lanes && found >> n) {
        n *= 2;
    }
    if (!found || n * 2 > lanes) {
        return;
    }
    LLVMBuilderRef b = ir_before(load);
    LLVMTypeRef part = LLVMVectorType(LLVMGetElementType(type), n);
    LLVMValueRef read = LLVMBuildLoad2(b, part, LLVMGetOperand(load, 0), "");
    LLVMSetAlignment(read, LLVMGetAlignment(load));
    ir_add_lists_of(read, load);
    LLVMReplaceAllUsesWith(load, ir_piece(b, read, 0, lanes));
    LLVMInstructionEraseFromParent(load);
    LLVMDisposeBuilder(b);
}

static bool is_plain_vector(LLVMValueRef i) {
    return LLVMIsALoadInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind && ir_is_plain(i);
}

void wanted_lanes_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_plain_vector(i)) {
                read_no_further(i);
            }
        }
    }
}
