/* address_choices.c: an access at one of two addresses becomes one of two accesses.
 *
 * Needs k->run simplified. LLVM takes `transposed ? a[l * n + j] : a[j * n + l]` for one load whose index is chosen; nobody knows then how
 * a pack's elements lie. Where one of the indices is evenly apart from lane to lane, and the choice isn't, the access is copied for
 * either way, behind a branch. What a block reads by the same choice, with nothing written between, is read together.
 *     v = a[c ? l : 8 * l];  w = a[c ? l + 8 : 8 * l + 1];
 *  -> if (c) v = a[l], w = a[l + 8]; else v = a[8 * l], w = a[8 * l + 1];
 * Where lanes choose differently both of the accesses run, each for its lanes: that is better than elements one by one if all lie in
 * rows. Limits of indices stay, whose packs look whether they bind (contiguity.c).
 *     v = in[i] < 0 ? a[i] : b[i];      LLVM: *((in[i] < 0 ? a : b) + i), and where `a` and `b` are arguments, chosen by their number
 * What it can't do: addresses that are chosen twice, or by PHIs. */
#include "analysis.h"
#include "lower.h"

enum { DEPTH = 8 };

struct choices {
    struct kernel *k;
    struct uniform pack;
    LLVMTargetDataRef layout;
    struct list accesses; /* of the block: the first one's place is theirs */
    LLVMValueRef choice;  /* what the first one's address is chosen by */
    struct ptrmap after;  /* the block's instructions from there on */
};

/* How far apart lanes are at the value, if the choice is its operand number `way`. */
static bool find_stride(const struct choices *s, LLVMValueRef v, LLVMValueRef choice, unsigned way,
                        unsigned depth, int64_t *stride) {
    if (v == choice) {
        return uniform_stride(&s->pack, LLVMGetOperand(v, way), stride);
    }
    if (uniform_stride(&s->pack, v, stride)) {
        return true;
    }
    if (!depth || !LLVMIsAInstruction(v)) {
        return false;
    }
    int64_t x, y;
    if (LLVMIsAGetElementPtrInst(v)) {
        struct gep_step steps[GEP_STEPS];
        unsigned n = ir_gep_steps(s->layout, v, steps);
        bool found = n && find_stride(s, LLVMGetOperand(v, 0), choice, way, depth - 1, stride);
        for (unsigned i = 0; found && i < n; i++) {
            found = !steps[i].index || find_stride(s, steps[i].index, choice, way, depth - 1, &x);
            *stride += found && steps[i].index ? x * (int64_t)steps[i].bytes : 0;
        }
        return found;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
        return find_stride(s, LLVMGetOperand(v, 0), choice, way, depth - 1, stride);
    case LLVMAdd:
    case LLVMSub:
        if (!find_stride(s, LLVMGetOperand(v, 0), choice, way, depth - 1, &x) ||
            !find_stride(s, LLVMGetOperand(v, 1), choice, way, depth - 1, &y)) {
            return false;
        }
        *stride = LLVMGetInstructionOpcode(v) == LLVMAdd ? x + y : x - y;
        return true;
    default:
        return false;
    }
}

/* A choice that the address depends on, or NULL. */
static LLVMValueRef choice_in(const struct choices *s, LLVMValueRef v, unsigned depth) {
    int64_t stride;
    if (!depth || !LLVMIsAInstruction(v) || uniform_stride(&s->pack, v, &stride)) {
        return NULL;
    }
    if (LLVMIsASelectInst(v)) { /* of scalars */
        return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMIntegerTypeKind ? v : NULL;
    }
    LLVMValueRef found = NULL;
    bool may = LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsAGetElementPtrInst(v);
    for (int n = 0; may && !found && n < LLVMGetNumOperands(v); n++) {
        found = choice_in(s, LLVMGetOperand(v, (unsigned)n), depth - 1);
    }
    return found;
}

/* Whether a choice that lanes make is between two arrays, or by what they have read: no limit of ids. */
static bool is_between_rows(const struct choices *s, LLVMValueRef choice) {
    return LLVMGetTypeKind(LLVMTypeOf(choice)) == LLVMPointerTypeKind ||
           !if_conversion_is_of_ids(&s->pack, LLVMGetOperand(choice, 0));
}

/* Whether this way's elements are one, a row, or at known distances from each other. */
static bool is_row(const struct choices *s, LLVMValueRef i, LLVMValueRef choice, unsigned way) {
    LLVMValueRef at = ir_address(i);
    int64_t stride,
        size =
            (int64_t)LLVMABISizeOfType(s->layout, LLVMTypeOf(LLVMIsALoadInst(i) ? i : LLVMGetOperand(i, 0)));
    if (find_stride(s, at, choice, way, DEPTH, &stride)) {
        return !stride || stride == size || stride == -size;
    }
    return at == choice && uniform_offsets(&s->pack, LLVMGetOperand(choice, way));
}

/* The choice that is worth a branch, or NULL. */
static LLVMValueRef choice_of(const struct choices *s, LLVMValueRef i) {
    if (!ir_is_plain(i)) {
        return NULL;
    }
    LLVMValueRef at = ir_address(i), choice = choice_in(s, at, DEPTH);
    int64_t stride;
    if (!choice) {
        return NULL;
    }
    if (!uniform_is(&s->pack, LLVMGetOperand(choice, 0))) {
        bool are_rows = is_between_rows(s, choice) && is_row(s, i, choice, 1) && is_row(s, i, choice, 2);
        return are_rows ? choice : NULL;
    }
    bool is_even =
        find_stride(s, at, choice, 1, DEPTH, &stride) || find_stride(s, at, choice, 2, DEPTH, &stride);
    return is_even ? choice : NULL;
}

/* ---- copies ------------------------------------------------------------------------------------------------ */

/* Whether the value can be computed where the first access is. */
static bool may_be_earlier(const struct choices *s, LLVMValueRef v, unsigned depth) {
    if (!ptrmap_at(&s->after, v, 0)) {
        return true;
    }
    bool may = depth && (LLVMIsAGetElementPtrInst(v) || LLVMIsASelectInst(v) || ir_is_address_arithmetic(v));
    for (int n = 0; may && n < LLVMGetNumOperands(v); n++) {
        may = may_be_earlier(s, LLVMGetOperand(v, (unsigned)n), depth - 1);
    }
    return may;
}

/* The value with the choice's operand number `way` for each choice by the same condition. */
static LLVMValueRef copied(const struct choices *s, LLVMBuilderRef b, struct ptrmap *copies, LLVMValueRef v,
                           unsigned way, unsigned depth) {
    uintptr_t known;
    if (ptrmap_get(copies, v, &known)) {
        return (LLVMValueRef)known;
    }
    bool is_later = ptrmap_at(&s->after, v, 0) != 0;
    if (!is_later && !(depth && choice_in(s, v, depth))) {
        return v;
    }
    LLVMValueRef copy;
    if (LLVMIsASelectInst(v) && LLVMGetOperand(v, 0) == LLVMGetOperand(s->choice, 0)) {
        copy = copied(s, b, copies, LLVMGetOperand(v, way), way, depth - 1);
    } else {
        copy = LLVMInstructionClone(v);
        for (int n = 0; n < LLVMGetNumOperands(v); n++) {
            LLVMSetOperand(copy, (unsigned)n,
                           copied(s, b, copies, LLVMGetOperand(v, (unsigned)n), way, depth - 1));
        }
        LLVMInsertIntoBuilderWithName(b, copy, "");
    }
    ptrmap_set(copies, v, (uintptr_t)copy);
    return copy;
}

/* The block's accesses in a block of their own, by this way of the choice. */
static LLVMBasicBlockRef copy_accesses(const struct choices *s, LLVMBasicBlockRef rest, unsigned way,
                                       LLVMValueRef *results) {
    LLVMBasicBlockRef to = LLVMInsertBasicBlockInContext(s->k->llvm, rest, "chosen");
    LLVMBuilderRef b = ir_at_end(to);
    struct ptrmap copies = {0};
    for (size_t n = 0; n < s->accesses.n; n++) {
        LLVMValueRef i = s->accesses.at[n];
        LLVMValueRef at = copied(s, b, &copies, ir_address(i), way, DEPTH);
        results[n] = LLVMInstructionClone(i);
        LLVMSetOperand(results[n], LLVMIsALoadInst(i) ? 0 : 1, at);
        LLVMInsertIntoBuilderWithName(b, results[n], "");
    }
    LLVMBuildBr(b, rest);
    LLVMDisposeBuilder(b);
    return to;
}

/* Gives what comes behind the two ways, from the first access on. */
static LLVMBasicBlockRef branch(struct choices *s) {
    LLVMValueRef first = s->accesses.at[0];
    LLVMBasicBlockRef before = LLVMGetInstructionParent(first);
    LLVMBasicBlockRef rest = ir_split_before(first, "rest");
    LLVMValueRef *one = job_alloc(s->accesses.n * sizeof *one),
                 *other = job_alloc(s->accesses.n * sizeof *other);
    LLVMBasicBlockRef from[] = {copy_accesses(s, rest, 1, one), copy_accesses(s, rest, 2, other)};
    LLVMBuilderRef b = ir_at_end(before);
    LLVMBuildCondBr(b, LLVMGetOperand(s->choice, 0), from[0], from[1]);
    LLVMDisposeBuilder(b);
    for (size_t n = 0; n < s->accesses.n; n++) {
        LLVMValueRef i = s->accesses.at[n];
        if (LLVMIsALoadInst(i)) {
            b = ir_before(LLVMGetFirstInstruction(rest));
            LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(i), ""), values[] = {one[n], other[n]};
            LLVMAddIncoming(phi, values, from, 2);
            LLVMDisposeBuilder(b);
            uniform_learn(&s->pack, phi, i);
            LLVMReplaceAllUsesWith(i, phi);
        }
        LLVMInstructionEraseFromParent(i);
    }
    return rest;
}

/* ---- arguments that are chosen ------------------------------------------------------------------------------ */

/* Of a load of one of two arguments both are read, as the launch has them all, and one is chosen. */
static bool read_both(LLVMValueRef load) {
    LLVMValueRef at = LLVMIsALoadInst(load) && kernel_is_invariant(load) ? LLVMGetOperand(load, 0) : NULL;
    bool is_offset = at && LLVMIsAGetElementPtrInst(at) && LLVMGetNumOperands(at) == 2;
    LLVMValueRef choice = is_offset ? LLVMGetOperand(at, 1) : NULL, values[2];
    if (!choice || !LLVMIsASelectInst(choice) || !LLVMIsAConstantInt(LLVMGetOperand(choice, 1)) ||
        !LLVMIsAConstantInt(LLVMGetOperand(choice, 2))) {
        return false;
    }
    LLVMBuilderRef b = ir_before(load);
    for (unsigned way = 0; way < 2; way++) {
        LLVMValueRef address = LLVMInstructionClone(at);
        LLVMSetOperand(address, 1, LLVMGetOperand(choice, way + 1));
        LLVMInsertIntoBuilderWithName(b, address, "");
        values[way] = LLVMInstructionClone(load);
        LLVMSetOperand(values[way], 0, address);
        LLVMInsertIntoBuilderWithName(b, values[way], "");
    }
    LLVMReplaceAllUsesWith(load, LLVMBuildSelect(b, LLVMGetOperand(choice, 0), values[0], values[1], ""));
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(load);
    return true;
}

/* ---- the pass ---------------------------------------------------------------------------------------------- */

/* Finds the block's first accesses by one choice that may be made together. */
static bool find(struct choices *s, LLVMBasicBlockRef b) {
    s->accesses = (struct list){0};
    s->after = (struct ptrmap){0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        bool is_store = LLVMIsAStoreInst(i) != NULL;
        LLVMValueRef choice = choice_of(s, i);
        if (choice && !s->accesses.n) {
            s->choice = choice;
            list_add(&s->accesses, i);
            if (is_store) {
                break;
            }
        } else if (choice && !is_store && LLVMGetOperand(choice, 0) == LLVMGetOperand(s->choice, 0) &&
                   may_be_earlier(s, ir_address(i), DEPTH)) {
            list_add(&s->accesses, i);
        }
        if (s->accesses.n) {
            ptrmap_set(&s->after, i, 1);
            if (is_store || ir_is_action(i)) {
                break;
            }
        }
    }
    return s->accesses.n;
}

void address_choices_pass(struct kernel *k) {
    struct choices s = {.k = k, .pack = {.of_pack = true, .width = k->width, .rows = 1}};
    if (k->checked || !k->optimize) {
        return;
    }
    bool any = false;
    s.layout = LLVMGetModuleDataLayout(k->module);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            any |= read_both(i) || (LLVMIsASelectInst(i) && ir_is_index(i));
        }
    }
    if (any) {
        uniform_run(k, &s.pack);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && any; b = LLVMGetNextBasicBlock(b)) {
        while (find(&s, b)) {
            b = branch(&s);
        }
    }
}
