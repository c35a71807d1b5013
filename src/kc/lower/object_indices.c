/* object_indices.c: an index of 32 bits into a variable or a buffer is one that is extended, and isn't negative, whatever its type.
 *
 * In: k->run, whose objects have marks (apart.c), packs to come. Out: the same; where such an index is extended as an unsigned
 * number for an address within an object, the extension says that it is positive as a signed one (`nneg`). The proof: an object
 * with a mark has less than 2^31 bytes, so an index from there on leads outside, and the address is none (`inbounds`). So
 * `m[p - 4]` with an unsigned p of known offsets is p - 4 for the lanes that are on, where others would wrap around.
 *     %j = add nsw i32 %p, -4                         %j = add nsw i32 %p, -4
 *     %x = zext i32 %j to i64                 becomes %x = zext nneg i32 %j to i64
 * What LLVM writes as two shifts, or as bits of a number, where it has made a loop's counter one of 64 bits, is an extension again:
 *     %t = shl i64 %n, 32                             %t = trunc i64 %n to i32
 *     %x = ashr exact i64 %t, 32              becomes %x = sext i32 %t to i64
 * What it can't do: indices of which the extension is also used for something else get one of their own. */
#include "analysis.h"
#include "lower.h"

static bool is_unsigned_index(LLVMValueRef x) {
    return LLVMIsAZExtInst(x) && !LLVMGetNNeg(x) && LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(x, 0))) == 32;
}

/* Whether it is what this operation gives with a number. */
static bool is_by(LLVMValueRef v, LLVMOpcode op, uint64_t number) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op &&
           LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) == number;
}

/* The number of 64 bits whose lower half the value is, extended as a signed number, times 2^*scale; NULL: it is none. */
static LLVMValueRef shifted_half(LLVMValueRef x, unsigned *scale) {
    enum { HALF = 32, MOST = 4 };
    for (*scale = 0; *scale <= MOST; ++*scale) {
        if (is_by(x, LLVMAShr, HALF - *scale) && is_by(LLVMGetOperand(x, 0), LLVMShl, HALF)) {
            return LLVMGetOperand(LLVMGetOperand(x, 0), 0);
        }
    }
    return NULL;
}

/* The index is the lower half of a number of 64 bits, extended: of bytes, it counts elements then. */
static void extend(struct kernel *k, LLVMValueRef address) {
    LLVMValueRef x = LLVMGetOperand(address, 1);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(k->llvm), element = LLVMGetGEPSourceElementType(address),
                i8 = LLVMInt8TypeInContext(k->llvm);
    bool is_unsigned = LLVMTypeOf(x) == i64 && is_by(x, LLVMAnd, UINT32_MAX);
    unsigned scale = 0;
    LLVMValueRef n = LLVMTypeOf(x) != i64 ? NULL
                     : is_unsigned        ? LLVMGetOperand(x, 0)
                                          : shifted_half(x, &scale);
    if (!n || (scale && element != i8)) {
        return;
    }
    LLVMBuilderRef b = ir_before(address);
    LLVMValueRef half = LLVMBuildTrunc(b, n, LLVMInt32TypeInContext(k->llvm), ""),
                 index = is_unsigned ? LLVMBuildZExt(b, half, i64, "") : LLVMBuildSExt(b, half, i64, "");
    LLVMSetOperand(address, 1, index);
    if (scale) {
        LLVMTypeRef whole = LLVMArrayType2(i8, UINT64_C(1) << scale);
        LLVMValueRef base = LLVMGetOperand(address, 0), other = LLVMBuildGEP2(b, whole, base, &index, 1, "");
        LLVMSetIsInBounds(other, LLVMIsInBounds(address));
        LLVMReplaceAllUsesWith(address, other);
        LLVMInstructionEraseFromParent(address);
    }
    LLVMDisposeBuilder(b);
}

static void set_positive(LLVMValueRef address, unsigned operand) {
    LLVMValueRef x = LLVMGetOperand(address, operand);
    if (LLVMGetNextUse(LLVMGetFirstUse(x))) { /* elsewhere it may be any */
        LLVMValueRef own = LLVMInstructionClone(x);
        LLVMBuilderRef b = ir_before(address);
        LLVMInsertIntoBuilderWithName(b, own, "");
        LLVMDisposeBuilder(b);
        LLVMSetOperand(address, operand, own);
        x = own;
    }
    LLVMSetNNeg(x, 1);
}

static void extend_indices(struct kernel *k, LLVMBasicBlockRef b) {
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAGetElementPtrInst(i) && LLVMGetNumOperands(i) == 2) {
            extend(k, i);
        }
    }
}

void object_indices_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && !k->checked;
         b = LLVMGetNextBasicBlock(b)) {
        extend_indices(k, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool is_within = LLVMIsAGetElementPtrInst(i) && LLVMIsInBounds(i) && object_of(i);
            for (int n = 1; is_within && n < LLVMGetNumOperands(i); n++) {
                if (is_unsigned_index(LLVMGetOperand(i, (unsigned)n))) {
                    set_positive(i, (unsigned)n);
                }
            }
        }
    }
}
