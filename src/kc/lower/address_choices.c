/* address_choices.c: an access at one of two addresses becomes one of two accesses.
 *
 * Needs k->run simplified. LLVM takes `transposed ? a[l * n + j] : a[j * n + l]`, `x > 0 ? a[i - 1] : a[i]` or `in[i] < 0 ? a[i] : b[i]` for
 * one load whose index or pointer is chosen, even one of two arguments by their number; nobody knows then how a pack's elements
 * lie. The access is copied for either way, behind a branch, where all lanes share the choice and one of the addresses is
 * evenly apart from lane to lane; or where lanes choose differently and both are in rows: both accesses run then, each for its
 * lanes, which is better than elements one by one. Limits of indices stay, whose packs look whether they bind (contiguity.c), and so
 * do OpenCL vectors, which are read for each lane anyway. What a block reads by the same choice, with nothing written between, is read
 * together.
 *     v = a[c ? l : 8 * l];  w = a[c ? l + 8 : 8 * l + 1];
 *  -> if (c) v = a[l], w = a[l + 8]; else v = a[8 * l], w = a[8 * l + 1];
 * What it can't do: addresses that are chosen twice, or by PHIs (sunk_accesses.c). */
#include "analysis.h"
#include "lower.h"
#include <stdlib.h>

enum { DEPTH = 8 };

struct choices {
    struct kernel *k;
    struct uniform pack;
    LLVMTargetDataRef layout;
    struct list accesses;   /* of the block: the first one's place is theirs */
    LLVMValueRef condition; /* by which the first one's address is chosen */
    struct ptrmap after;    /* the block's instructions from there on */
};

/* The condition by which v is one of two values, by a select or as a bit that is extended; else NULL. */
static LLVMValueRef condition_of(LLVMValueRef v) {
    LLVMValueRef condition =
        LLVMIsASelectInst(v) || LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) ? LLVMGetOperand(v, 0) : NULL;
    bool is_bit =
        condition && LLVMTypeOf(condition) == LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
    return is_bit ? condition : NULL;
}

/* The value where the condition holds, way 1, or else, way 2. */
static LLVMValueRef value_by(LLVMValueRef choice, unsigned way) {
    LLVMTypeRef type = LLVMTypeOf(choice);
    if (LLVMIsASelectInst(choice)) {
        return LLVMGetOperand(choice, way);
    }
    return way == 2                  ? LLVMConstNull(type)
           : LLVMIsASExtInst(choice) ? LLVMConstAllOnes(type)
                                     : ir_number(type, 1);
}

static bool find_stride(const struct address_way *w, LLVMValueRef v, unsigned depth, int64_t *stride) {
    LLVMValueRef taken = w->taken(w->arg, v);
    if (taken || uniform_stride(w->pack, v, stride)) {
        return !taken || uniform_stride(w->pack, taken, stride);
    }
    if (!depth || !LLVMIsAInstruction(v)) {
        return false;
    }
    int64_t x, y;
    LLVMValueRef by = LLVMIsABinaryOperator(v) ? LLVMIsAConstantInt(LLVMGetOperand(v, 1)) : NULL;
    if (LLVMIsAGetElementPtrInst(v)) {
        struct gep_step steps[GEP_STEPS];
        unsigned n = ir_gep_steps(w->layout, v, steps);
        bool found = n && find_stride(w, LLVMGetOperand(v, 0), depth - 1, stride);
        for (unsigned i = 0; found && i < n; i++) {
            found = !steps[i].index || find_stride(w, steps[i].index, depth - 1, &x);
            *stride += found && steps[i].index ? x * (int64_t)steps[i].bytes : 0;
        }
        return found;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
        return find_stride(w, LLVMGetOperand(v, 0), depth - 1, stride);
    case LLVMMul:
    case LLVMShl:
        if (!by || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64 ||
            !find_stride(w, LLVMGetOperand(v, 0), depth - 1, &x)) {
            return false;
        }
        *stride = (int64_t)((uint64_t)x * (LLVMGetInstructionOpcode(v) == LLVMMul
                                               ? LLVMConstIntGetZExtValue(by)
                                               : UINT64_C(1) << (LLVMConstIntGetZExtValue(by) & 63)));
        return true;
    case LLVMAdd:
    case LLVMSub:
        if (!find_stride(w, LLVMGetOperand(v, 0), depth - 1, &x) ||
            !find_stride(w, LLVMGetOperand(v, 1), depth - 1, &y)) {
            return false;
        }
        *stride = LLVMGetInstructionOpcode(v) == LLVMAdd ? x + y : x - y;
        return true;
    default:
        return false;
    }
}

bool address_stride(const struct address_way *w, LLVMValueRef v, int64_t *stride) {
    return find_stride(w, v, DEPTH, stride);
}

/* The arms of choices by one condition. */
struct arms {
    LLVMValueRef condition;
    unsigned way;
};

static LLVMValueRef arm_of(const void *arg, LLVMValueRef v) {
    const struct arms *a = arg;
    return condition_of(v) == a->condition ? value_by(v, a->way) : NULL;
}

/* How far apart lanes are at the address, if the condition goes this way. */
static bool stride_by(const struct choices *s, LLVMValueRef at, LLVMValueRef condition, unsigned way,
                      int64_t *stride) {
    struct arms arms = {condition, way};
    return address_stride(&(struct address_way){&s->pack, s->layout, arm_of, &arms}, at, stride);
}

/* The condition of a choice that the address depends on, or NULL. */
static LLVMValueRef choice_in(const struct choices *s, LLVMValueRef v, unsigned depth) {
    int64_t stride;
    if (!depth || !LLVMIsAInstruction(v) || uniform_stride(&s->pack, v, &stride)) {
        return NULL;
    }
    if (condition_of(v)) {
        return condition_of(v);
    }
    LLVMValueRef found = NULL;
    bool may = LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsAGetElementPtrInst(v);
    for (int n = 0; may && !found && n < LLVMGetNumOperands(v); n++) {
        found = choice_in(s, LLVMGetOperand(v, (unsigned)n), depth - 1);
    }
    return found;
}

bool address_has_one_index(const struct uniform *pack, LLVMTargetDataRef layout, LLVMValueRef at) {
    struct gep_step steps[GEP_STEPS];
    unsigned varying = 0;
    for (; LLVMIsAGetElementPtrInst(at); at = LLVMGetOperand(at, 0)) {
        unsigned n = ir_gep_steps(layout, at, steps);
        for (unsigned i = 0; i < n; i++) {
            varying += steps[i].index && !uniform_is(pack, steps[i].index);
        }
    }
    return varying <= 1 && uniform_is(pack, at);
}

/* Whether this way's elements are one, or lie near each other, evenly or at known distances. */
static bool is_row(const struct choices *s, LLVMValueRef i, LLVMValueRef condition, unsigned way) {
    enum { MOST_APART = 4 };
    LLVMValueRef at = ir_address(i);
    int64_t stride, size = (int64_t)LLVMABISizeOfType(s->layout, ir_access_type(i));
    if (stride_by(s, at, condition, way, &stride)) {
        return llabs(stride) <= MOST_APART * size;
    }
    return condition_of(at) == condition && uniform_offsets(&s->pack, value_by(at, way));
}

/* Whether packs would gather what lanes choose, or look for a row in vain: the choice isn't a limit of ids. */
static bool is_gathered(const struct choices *s, LLVMValueRef i, LLVMValueRef condition) {
    bool is_vector = LLVMGetTypeKind(ir_access_type(i)) == LLVMVectorTypeKind;
    return !is_vector && (!address_has_one_index(&s->pack, s->layout, ir_address(i)) ||
                          !if_conversion_is_of_ids(&s->pack, condition));
}

/* The condition that is worth a branch, or NULL. */
static LLVMValueRef choice_of(const struct choices *s, LLVMValueRef i) {
    LLVMValueRef at = ir_is_plain(i) ? ir_address(i) : NULL, condition = at ? choice_in(s, at, DEPTH) : NULL;
    int64_t stride;
    if (!condition) {
        return NULL;
    }
    bool is_worth =
        uniform_is(&s->pack, condition)
            ? stride_by(s, at, condition, 1, &stride) || stride_by(s, at, condition, 2, &stride)
            : is_row(s, i, condition, 1) && is_row(s, i, condition, 2) && is_gathered(s, i, condition);
    return is_worth ? condition : NULL;
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

/* The value in which each choice by the same condition goes this way. */
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
    if (condition_of(v) == s->condition) {
        copy = copied(s, b, copies, value_by(v, way), way, depth - 1);
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
    LLVMBuildCondBr(b, s->condition, from[0], from[1]);
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
        LLVMValueRef condition = choice_of(s, i);
        if (condition && !s->accesses.n) {
            s->condition = condition;
            list_add(&s->accesses, i);
            if (is_store) {
                break;
            }
        } else if (condition && !is_store && condition == s->condition &&
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
            any |= read_both(i) || (condition_of(i) && ir_is_index(i));
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
