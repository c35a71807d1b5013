/* row_versions.c: code for packs that lie within a row, where only the launch knows how long rows are.
 *
 * In: k->run, specialized for a local size that packs fill, before `regions`; no pass of LLVM's runs in between. Out: the same;
 * where what work-items differ in, as an id, is divided by a number that the launch gives, has its bits below such a number
 * taken, or some flipped (i / n, i % n, i & (n - 1), i ^ n), or the low bits of a global id are told from the high ones, the
 * code is there once more. In that version such numbers are multiples of a pack, and so are the global ids that groups begin
 * with, whose offset may be any number: it stands behind one branch that asks for that, and has `n & -32` in its place, and
 * local ids, of which packs begin with multiples, in place of global ones. From that packs know quotients to be scalars and
 * remainders to be rows (analysis/lane_alignment.c). Others run the code as it was. It is value specialization (Calder, Feller
 * and Eustace, 1997) by a congruence instead of a value.
 *     %q = udiv i32 %i, %n ...              becomes       br i1 (%n % 32 == 0 && %base % 32 == 0), label %rows, label %any
 *                                                         rows: %m = and i32 %n, -32     any: as it was
 *                                                               %q = udiv i32 (add %base, %l), %m ...
 * Signed quotients become unsigned ones there, where the dividend can't be negative.
 * What it can't do: numbers that aren't known where the kernel begins; long kernels; functions of sub-groups. */
#include "analysis.h"
#include "lower.h"
#include <string.h>

enum { MOST_INSTRUCTIONS = 200, DEPTH = 8 };

struct versions {
    struct kernel *k;
    struct uniform group, pack;
    struct code_part part;
    uint64_t multiple;
    struct list operations; /* that are told apart by a divisor, or a number of bits, in the version */
    struct list roots;      /* the numbers that are multiples there */
    struct ptrmap positive; /* those that divide */
    struct ptrmap early;    /* what has been computed before the part, by what it stands for */
    struct ptrmap seen;     /* PHIs that are being asked about */
    bool asks_ids;          /* global ids have to begin with multiples, too */
};

/* ---- what is a multiple ------------------------------------------------------------------------------------- */

/* Whether the condition asks for a divisor that would trap: x == 0, or x + 1 below 2. */
static bool is_guard(LLVMValueRef condition, LLVMValueRef x) {
    if (!LLVMIsAICmpInst(condition) || !LLVMIsAConstantInt(LLVMGetOperand(condition, 1))) {
        return false;
    }
    LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
    LLVMValueRef asked = LLVMGetOperand(condition, 0);
    uint64_t c = LLVMConstIntGetZExtValue(LLVMGetOperand(condition, 1));
    LLVMValueRef by = ir_counts_by(asked, x);
    return (p == LLVMIntEQ && asked == x && !c) ||
           (p == LLVMIntULT && c == 2 && by && LLVMConstIntGetZExtValue(by) == 1);
}

/* The number behind extensions to and of 32 bits, and guards against zero: the value is that, where it is positive and
 * below 2^31. */
static LLVMValueRef root_of(LLVMValueRef v) {
    for (;;) {
        bool is_select = LLVMIsASelectInst(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1));
        if (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) || LLVMIsAFreezeInst(v) ||
            (LLVMIsATruncInst(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) >= 32)) {
            v = LLVMGetOperand(v, 0);
        } else if (ir_is_intrinsic(v, "llvm.umax.") && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
                   LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) == 1) {
            v = LLVMGetOperand(v, 0);
        } else if (is_select && LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) == 1 &&
                   is_guard(LLVMGetOperand(v, 0), LLVMGetOperand(v, 2))) {
            v = LLVMGetOperand(v, 2);
        } else {
            return v;
        }
    }
}

/* A load of the launch's arguments or sizes, which may stand anywhere. */
static bool is_argument(const struct versions *s, LLVMValueRef v) {
    if (!LLVMIsALoadInst(v) || !kernel_is_invariant(v)) {
        return false;
    }
    LLVMValueRef at = ir_strip_offsets(LLVMGetOperand(v, 0)), launch = LLVMGetParam(s->k->run, RUN_LAUNCH);
    return at == launch || (LLVMIsALoadInst(at) && kernel_is_invariant(at) &&
                            ir_strip_offsets(LLVMGetOperand(at, 0)) == launch);
}

/* Whether the value, which all work-items of the group share, can be computed where the kernel begins. */
static bool is_known_early(const struct versions *s, LLVMValueRef v, unsigned depth) {
    if (!LLVMIsAInstruction(v)) {
        return true;
    }
    bool is_plain = LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsAGetElementPtrInst(v) ||
                    LLVMIsAICmpInst(v) || LLVMIsASelectInst(v);
    bool known = depth && uniform_is(&s->group, v) && ((is_plain && !ir_is_division(v)) || is_argument(s, v));
    for (int n = 0; known && n < LLVMGetNumOperands(v); n++) {
        known = is_known_early(s, LLVMGetOperand(v, (unsigned)n), depth - 1);
    }
    return known;
}

static bool add_root(struct versions *s, LLVMValueRef v) {
    LLVMValueRef root = root_of(v);
    bool found = false;
    if (LLVMGetTypeKind(LLVMTypeOf(root)) != LLVMIntegerTypeKind || LLVMIsAConstant(root) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(root)) < 32 || LLVMGetIntTypeWidth(LLVMTypeOf(root)) > 64 ||
        !is_known_early(s, root, DEPTH)) {
        return false;
    }
    for (size_t n = 0; n < s->roots.n; n++) {
        found |= s->roots.at[n] == root;
    }
    if (!found) {
        list_add(&s->roots, root);
    }
    return true;
}

/* Whether low bits of all lanes' values are known in the version, and the numbers that are multiples for that. */
static bool has_low_bits(struct versions *s, LLVMValueRef v, unsigned depth) {
    unsigned dim;
    enum id id = intrinsic_id(v, &dim);
    if (LLVMIsAConstantInt(v)) {
        return true;
    }
    if (id != ID_NONE && dim == 0) {
        s->asks_ids |= id == ID_GLOBAL;
        return true;
    }
    if (uniform_is(&s->group, v)) {
        return add_root(s, v);
    }
    if (!LLVMIsAInstruction(v) || !depth) {
        return false;
    }
    bool of_constant = LLVMGetNumOperands(v) > 1 && LLVMIsAConstantInt(LLVMGetOperand(v, 1)), known = true;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return LLVMGetIntTypeWidth(LLVMTypeOf(v)) >= 32 && has_low_bits(s, LLVMGetOperand(v, 0), depth - 1);
    case LLVMOr:
    case LLVMAdd:
    case LLVMSub:
    case LLVMXor:
        return has_low_bits(s, LLVMGetOperand(v, 0), depth - 1) &&
               has_low_bits(s, LLVMGetOperand(v, 1), depth - 1);
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
    case LLVMLShr:
        return of_constant && has_low_bits(s, LLVMGetOperand(v, 0), depth - 1);
    case LLVMPHI:
        if (ptrmap_at(&s->seen, v, 0)) {
            return true;
        }
        ptrmap_set(&s->seen, v, 1);
        for (unsigned i = 0; known && i < LLVMCountIncoming(v); i++) {
            known = has_low_bits(s, LLVMGetIncomingValue(v, i), depth - 1);
        }
        return known;
    default:
        return false;
    }
}

/* ---- which operations -------------------------------------------------------------------------------------- */

/* n in n - 1, which masks remainders; else NULL. */
static LLVMValueRef masked_by(LLVMValueRef mask) {
    LLVMValueRef n = LLVMIsABinaryOperator(mask) ? LLVMGetOperand(mask, 0) : NULL;
    LLVMValueRef by = n ? ir_counts_by(mask, n) : NULL;
    return by && LLVMConstIntGetSExtValue(by) == -1 ? n : NULL;
}

/* Whether the value becomes a part of an address, or else of a comparison. */
static bool leads(LLVMValueRef v, bool compares, unsigned depth) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && depth; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool goes_on = LLVMIsABinaryOperator(user) || LLVMIsACastInst(user) || LLVMIsASelectInst(user);
        if (LLVMIsAGetElementPtrInst(user) || (compares && LLVMIsAICmpInst(user)) ||
            (goes_on && leads(user, compares, depth - 1))) {
            return true;
        }
    }
    return false;
}

/* Whether a constant tells the low bits of ids from those above, so that a pack shares the ones or has the others in a row; or
 * takes bits, of which offsets are known then, for an address. */
static bool takes_bits(const struct versions *s, LLVMValueRef i, uint64_t c) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem:
        return c && c % s->multiple == 0 && leads(i, true, DEPTH);
    case LLVMAnd:
        return leads(i, c % s->multiple == 0 || (c + 1) % s->multiple == 0, DEPTH);
    case LLVMLShr:
    case LLVMAShr:
        return leads(i, c < 32 && (UINT64_C(1) << c) % s->multiple == 0, DEPTH);
    case LLVMXor:
        return leads(i, false, DEPTH);
    default:
        return false;
    }
}

/* Whether the operation is another one in the version: what divides, masks or flips is added to the numbers that are
 * multiples. */
static bool is_of_rows(struct versions *s, LLVMValueRef i) {
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    int64_t stride, known;
    if ((op == LLVMAnd || op == LLVMXor) && uniform_is(&s->group, x)) {
        LLVMValueRef swap = x;
        x = y;
        y = swap;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(i)) > 64 ||
        !uniform_is(&s->group, y) || !uniform_stride(&s->pack, x, &stride) || !stride ||
        uniform_stride(&s->pack, i, &known) || uniform_offsets(&s->pack, i)) {
        return false;
    }
    if (LLVMIsAConstantInt(y)) {
        return takes_bits(s, i, LLVMConstIntGetZExtValue(y));
    }
    switch (op) {
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem:
        ptrmap_set(&s->positive, root_of(y), 1);
        return add_root(s, y);
    case LLVMAnd:
        return masked_by(y) && leads(i, true, DEPTH) && add_root(s, masked_by(y));
    case LLVMXor:
        return leads(i, false, DEPTH) && add_root(s, y);
    default:
        return false;
    }
}

/* The operation, and what is a multiple for it; or nothing. */
static void look_at(struct versions *s, LLVMValueRef i) {
    size_t n = s->roots.n;
    bool asked_ids = s->asks_ids, of_shared = uniform_is(&s->group, LLVMGetOperand(i, 0));
    s->seen = (struct ptrmap){0};
    bool found = is_of_rows(s, i) && has_low_bits(s, LLVMGetOperand(i, of_shared), DEPTH);
    /* Of a local id and a constant it is known anyway. */
    if (found && (s->asks_ids || s->roots.n)) {
        list_add(&s->operations, i);
    } else {
        s->roots.n = n;
        s->asks_ids = asked_ids;
    }
}

static void find_operations(struct versions *s) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsABinaryOperator(i) && !uniform_is(&s->group, i)) {
                look_at(s, i);
            }
        }
    }
}

/* ---- the version ------------------------------------------------------------------------------------------- */

/* The value before the part: what isn't there yet is computed by the builder, once for all uses. */
static LLVMValueRef early(struct versions *s, LLVMBuilderRef b, LLVMValueRef v) {
    if (!LLVMIsAInstruction(v) || !ptrmap_at(&s->part.in, v, 0)) {
        return v;
    }
    LLVMValueRef copy = (LLVMValueRef)ptrmap_at(&s->early, v, 0);
    if (copy) {
        return copy;
    }
    copy = LLVMInstructionClone(v);
    for (int n = 0; n < LLVMGetNumOperands(copy); n++) {
        LLVMSetOperand(copy, (unsigned)n, early(s, b, LLVMGetOperand(v, (unsigned)n)));
    }
    LLVMInsertIntoBuilderWithName(b, copy, "");
    ir_drop_flags(copy);
    LLVMReplaceAllUsesWith(v, copy);
    ptrmap_set(&s->early, v, (uintptr_t)copy);
    return copy;
}

static LLVMValueRef is_whole(struct versions *s, LLVMBuilderRef b, LLVMValueRef x) {
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef low = LLVMBuildAnd(b, x, LLVMConstInt(type, s->multiple - 1, 0), "");
    return LLVMBuildICmp(b, LLVMIntEQ, low, LLVMConstNull(type), "");
}

/* Whether the version may run: what it takes for multiples is that, and what divides is positive and below 2^31. */
static LLVMValueRef may_run(struct versions *s, LLVMBuilderRef b, LLVMValueRef base) {
    LLVMValueRef may = s->asks_ids ? is_whole(s, b, base) : NULL;
    for (size_t n = 0; n < s->roots.n; n++) {
        LLVMValueRef root = s->roots.at[n], is = is_whole(s, b, root);
        LLVMTypeRef type = LLVMTypeOf(root);
        if (ptrmap_at(&s->positive, root, 0)) {
            LLVMValueRef before = LLVMBuildAdd(b, root, LLVMConstAllOnes(type), "");
            is = LLVMBuildAnd(b, is,
                              LLVMBuildICmp(b, LLVMIntULT, before, LLVMConstInt(type, INT32_MAX, 0), ""), "");
        }
        may = may ? LLVMBuildAnd(b, may, is, "") : is;
    }
    return may;
}

static LLVMValueRef as_multiple(struct versions *s, LLVMBuilderRef b, LLVMValueRef x) {
    return LLVMBuildAnd(b, x, LLVMConstInt(LLVMTypeOf(x), ~(s->multiple - 1), 1), "");
}

/* Global ids in the copy: what the group begins with, and the local id. */
static void set_id(struct versions *s, LLVMValueRef call, LLVMValueRef base) {
    unsigned dim;
    if (intrinsic_id(call, &dim) != ID_GLOBAL || dim) {
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMBuilderRef b = ir_before(call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    base = LLVMBuildTruncOrBitCast(b, base, type, "");
    LLVMValueRef sum = LLVMBuildNUWAdd(b, base, kernel_local_id(s->k, b, type), "");
    LLVMSetNSW(sum, 1);
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(call, sum);
    LLVMInstructionEraseFromParent(call);
}

static bool is_never_negative(LLVMValueRef v, unsigned depth) {
    bool of_constant =
        LLVMIsAInstruction(v) && LLVMGetNumOperands(v) > 1 && LLVMIsAConstantInt(LLVMGetOperand(v, 1));
    if (intrinsic_id(v, NULL) != ID_NONE || LLVMIsAZExtInst(v)) {
        return true;
    }
    if (!LLVMIsABinaryOperator(v) || !depth) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd: /* one that goes beyond the greatest number is poison */
        return LLVMGetNSW(v) && is_never_negative(LLVMGetOperand(v, 0), depth - 1) &&
               (of_constant ? LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1)) >= 0
                            : is_never_negative(LLVMGetOperand(v, 1), depth - 1));
    case LLVMAnd:
        return (of_constant && LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1)) >= 0) ||
               is_never_negative(LLVMGetOperand(v, 0), depth - 1);
    case LLVMLShr:
        return of_constant && !LLVMIsNull(LLVMGetOperand(v, 1));
    case LLVMURem:
    case LLVMUDiv:
        return is_never_negative(LLVMGetOperand(v, 0), depth - 1);
    default:
        return false;
    }
}

/* The number as one of the type; no guard needs it, as it is positive. */
static LLVMValueRef divisor(LLVMBuilderRef b, LLVMValueRef root, LLVMTypeRef type) {
    return LLVMGetIntTypeWidth(LLVMTypeOf(root)) > LLVMGetIntTypeWidth(type)
               ? LLVMBuildTrunc(b, root, type, "")
               : LLVMBuildZExtOrBitCast(b, root, type, "");
}

/* Where a quotient by -1 is the negative number instead, which no positive one is. */
static void leave_out_negation(LLVMValueRef quotient, LLVMValueRef root) {
    for (LLVMUseRef next, u = LLVMGetFirstUse(quotient); u; u = next) {
        LLVMValueRef user = LLVMGetUser(u), is = LLVMIsASelectInst(user) ? LLVMGetOperand(user, 0) : NULL;
        next = LLVMGetNextUse(u);
        if (is && LLVMGetOperand(user, 2) == quotient && LLVMIsAICmpInst(is) &&
            LLVMGetICmpPredicate(is) == LLVMIntEQ && root_of(LLVMGetOperand(is, 0)) == root &&
            LLVMIsAConstantInt(LLVMGetOperand(is, 1)) &&
            LLVMConstIntGetSExtValue(LLVMGetOperand(is, 1)) == -1) {
            LLVMReplaceAllUsesWith(user, quotient);
        }
    }
}

/* The copy of a division by a number of the launch. */
static void divide(struct ptrmap *map, LLVMValueRef i) {
    LLVMValueRef copy = (LLVMValueRef)ptrmap_at(map, i, 0), x = LLVMGetOperand(copy, 0);
    LLVMValueRef root = (LLVMValueRef)ptrmap_at(map, root_of(LLVMGetOperand(i, 1)), 0);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool is_positive = is_never_negative(x, DEPTH);
    op = op == LLVMSDiv && is_positive ? LLVMUDiv : op == LLVMSRem && is_positive ? LLVMURem : op;
    LLVMBuilderRef b = ir_before(copy);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(copy));
    LLVMValueRef result = LLVMBuildBinOp(b, op, x, divisor(b, root, LLVMTypeOf(copy)), "");
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(copy, result);
    LLVMInstructionEraseFromParent(copy);
    ptrmap_set(map, i, (uintptr_t)result);
    leave_out_negation(result, root);
}

static LLVMBasicBlockRef make_version(struct versions *s, LLVMValueRef base) {
    struct ptrmap map = {0};
    LLVMBasicBlockRef start = LLVMInsertBasicBlockInContext(s->k->llvm, s->part.join, "rows");
    LLVMBuilderRef b = ir_at_end(start);
    base = s->asks_ids ? as_multiple(s, b, base) : NULL;
    for (size_t n = 0; n < s->roots.n; n++) {
        ptrmap_set(&map, s->roots.at[n], (uintptr_t)as_multiple(s, b, s->roots.at[n]));
    }
    LLVMDisposeBuilder(b);
    part_copy(&s->part, start, &map, "rows");
    for (size_t n = 0; n < s->operations.n; n++) {
        LLVMValueRef i = s->operations.at[n];
        if (ir_is_division(i) && !LLVMIsAConstant(LLVMGetOperand(i, 1))) {
            divide(&map, i);
        }
    }
    for (size_t n = 0; base && n < s->part.blocks.n; n++) {
        LLVMBasicBlockRef block = s->part.blocks.at[n];
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (intrinsic_id(i, NULL) == ID_GLOBAL) {
                set_id(s, (LLVMValueRef)ptrmap_at(&map, i, 0), base);
            }
        }
    }
    return start;
}

/* ---- the pass ---------------------------------------------------------------------------------------------- */

/* Where the kernel's work-items begin to differ, or to do something. */
static LLVMValueRef beginning(const struct versions *s) {
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(s->k->run));
    while (LLVMIsAAllocaInst(i) || (!LLVMIsATerminatorInst(i) && is_known_early(s, i, DEPTH))) {
        i = LLVMGetNextInstruction(i);
    }
    return i;
}

/* The only instruction that ends the kernel, or NULL. */
static LLVMValueRef only_end(const struct kernel *k) {
    LLVMValueRef found = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!LLVMGetNumSuccessors(end)) {
            if (found) {
                return NULL;
            }
            found = end;
        }
    }
    return found;
}

void row_versions_pass(struct kernel *k) {
    struct versions s = {.k = k, .pack = {.of_pack = true, .width = k->width, .rows = 1}, .part = {.k = k}};
    bool fills = k->local_size[0] && k->local_size[0] % k->width == 0,
         twice = k->local_size[0] % (2 * k->width) == 0;
    LLVMValueRef end = only_end(k);
    if (!fills || !end || !k->small_ids || !k->optimize || k->checked ||
        ir_function_length(k->run) > MOST_INSTRUCTIONS) {
        return;
    }
    s.multiple = twice && 2 * k->width <= MOST_LANES ? 2 * k->width
                                                     : k->width; /* width.c may take two packs in step */
    uniform_run(k, &s.group);
    uniform_run(k, &s.pack);
    find_operations(&s);
    if (!s.operations.n) {
        return;
    }
    LLVMBasicBlockRef last = part_before(end, "end");
    LLVMBasicBlockRef first = part_before(beginning(&s), "any"), entry = LLVMGetEntryBasicBlock(k->run);
    if (!part_find(&s.part, first, last, MOST_INSTRUCTIONS, true)) {
        return;
    }
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(entry);
    LLVMBuilderRef b = ir_before(branch);
    for (size_t n = 0; n < s.roots.n; n++) {
        LLVMValueRef root = s.roots.at[n];
        bool divides = ptrmap_at(&s.positive, root, 0);
        s.roots.at[n] = early(&s, b, root);
        ptrmap_set(&s.positive, s.roots.at[n], divides);
    }
    LLVMValueRef base = s.asks_ids ? kernel_first_id(k, b, 0) : NULL, may = may_run(&s, b, base);
    LLVMBasicBlockRef start = make_version(&s, base);
    ir_expect(LLVMBuildCondBr(b, may, start, first));
    LLVMInstructionEraseFromParent(branch);
    LLVMDisposeBuilder(b);
}
