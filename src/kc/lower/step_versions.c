/* step_versions.c: what a pack accesses by a step that a loop halves or doubles, for the steps that are shorter than a
 * vector.
 *
 * In: k->run with barriers as calls. Out: the same; where work-items access local memory between a barrier, or where the
 * loop's round begins, and where their ways meet by an index of the kinds x & (step - 1), x / step, x % step, x ^ step, x *
 * step, and the step is the same for all and halved or doubled by a loop, as in butterflies, sorting networks and trees of
 * partial sums, that code is there once more for each step of 1, 2, 4 ... below the lanes of a vector, behind a branch that
 * all take and a cut (kernel_cut), so that it is asked once for the group, not by each pack. There it is a constant, from
 * which packs know where each lane's element lies (analysis/lane_alignment.c); other steps run the code as it was. It is
 * value specialization (Calder, Feller and Eustace, 1997), of values that the loop's own form tells.
 *     after:  %low = sub i32 %2l, (and i32 %l, (add i32 %step, -1))
 *             %a = load i32, ptr addrspace(3) (gep %s, %low) ...
 * becomes
 *     after:  br i1 (%step == 1), label %step.1, ... label %step.any
 *     step.1: the same with 1 in place of %step ...      step.any: as it was ...
 *     join:   phi of what is used after it
 * What it can't do: steps that aren't powers of two (they run the code for any), code with calls. */
#include "analysis.h"
#include "lower.h"
#include <stdio.h>

enum { MOST_INSTRUCTIONS = 160, MOST_PLACES = 8, SHORT_STEPS = 4, DEPTH = 8 };

struct versions {
    struct kernel *k;
    struct uniform group;
    struct code_part part;
    LLVMValueRef step, twice; /* twice: what `step` is the half of, rounded down, or NULL */
    LLVMValueRef barrier;     /* right after which all come to them, or NULL */
};

/* Whether v is a loop's counter that each round halves or doubles, or is what that becomes next. */
static bool is_shift_by_one(LLVMValueRef v) {
    LLVMOpcode op = LLVMIsABinaryOperator(v) ? LLVMGetInstructionOpcode(v) : LLVMPHI;
    LLVMValueRef by = op == LLVMPHI ? NULL : LLVMGetOperand(v, 1);
    return by && LLVMIsAConstantInt(by) && (op == LLVMShl || op == LLVMLShr || op == LLVMAShr) &&
           LLVMConstIntGetZExtValue(by) == 1;
}

static bool is_step(LLVMValueRef v) {
    v = is_shift_by_one(v) ? LLVMGetOperand(v, 0) : v;
    for (unsigned i = 0; LLVMIsAPHINode(v) && i < LLVMCountIncoming(v); i++) {
        LLVMValueRef next = LLVMGetIncomingValue(v, i);
        if (is_shift_by_one(next) && LLVMGetOperand(next, 0) == v) {
            return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind;
        }
    }
    return false;
}

static bool is_half_of(LLVMValueRef half, LLVMValueRef v) {
    return is_shift_by_one(half) && LLVMGetInstructionOpcode(half) == LLVMLShr &&
           LLVMGetOperand(half, 0) == v;
}

/* The value that the step is the half of: LLVM computes 2 * step as that, without its lowest bit. */
static LLVMValueRef twice_of(LLVMValueRef step) {
    if (!LLVMIsAPHINode(step)) {
        return is_half_of(step, LLVMGetOperand(step, 0)) ? LLVMGetOperand(step, 0) : NULL;
    }
    LLVMBasicBlockRef block = LLVMGetInstructionParent(step);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        unsigned halves = 0, n = LLVMCountIncoming(step);
        for (unsigned i = 0; i < n * n; i++) {
            halves += LLVMGetIncomingBlock(step, i / n) == LLVMGetIncomingBlock(phi, i % n) &&
                      is_half_of(LLVMGetIncomingValue(step, i / n), LLVMGetIncomingValue(phi, i % n));
        }
        if (halves == n) {
            return phi;
        }
    }
    return NULL;
}

/* The step in `step`, `step - 1`, `-step`; else NULL. */
static LLVMValueRef step_in(LLVMValueRef v) {
    bool is_sum = LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAdd;
    bool is_negative = LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMSub &&
                       LLVMIsAConstantInt(LLVMGetOperand(v, 0));
    v = is_sum ? LLVMGetOperand(v, 0) : is_negative ? LLVMGetOperand(v, 1) : v;
    while (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) || LLVMIsATruncInst(v)) {
        v = LLVMGetOperand(v, 0);
    }
    return is_step(v) ? v : NULL;
}

/* The step by which the operation tells bits of what lanes differ in apart, or NULL. */
static LLVMValueRef step_of(const struct versions *s, LLVMValueRef i) {
    switch (LLVMIsABinaryOperator(i) ? LLVMGetInstructionOpcode(i) : LLVMPHI) {
    case LLVMAnd:
    case LLVMXor:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        break;
    default:
        return NULL;
    }
    for (unsigned n = 0; n < 2; n++) {
        LLVMValueRef step = step_in(LLVMGetOperand(i, n));
        if (step && uniform_is(&s->group, step) && !uniform_is(&s->group, LLVMGetOperand(i, 1 - n))) {
            return step;
        }
    }
    return NULL;
}

/* The step that the address or index is computed by. */
static LLVMValueRef step_behind(const struct versions *s, LLVMValueRef v, unsigned depth) {
    bool may = LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsAGetElementPtrInst(v);
    if (!may || !depth || uniform_is(&s->group, v)) {
        return NULL;
    }
    LLVMValueRef step = step_of(s, v);
    for (int n = 0; !step && n < LLVMGetNumOperands(v); n++) {
        step = step_behind(s, LLVMGetOperand(v, (unsigned)n), depth - 1);
    }
    return step;
}

static LLVMValueRef local_address(LLVMValueRef i) {
    LLVMValueRef p = LLVMIsALoadInst(i)    ? LLVMGetOperand(i, 0)
                     : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
                                           : NULL;
    return p && LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == AS_LOCAL && !LLVMGetVolatile(i) ? p : NULL;
}

/* ---- which blocks ------------------------------------------------------------------------------------------ */

static LLVMValueRef step_of_part(const struct versions *s) {
    for (size_t at = 0; at < s->part.blocks.n; at++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->part.blocks.at[at]); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMValueRef p = local_address(i), step = p ? step_behind(s, p, DEPTH) : NULL;
            if (step && !ptrmap_at(&s->part.in, step, 0)) {
                return step;
            }
        }
    }
    return NULL;
}

/* ---- the copies -------------------------------------------------------------------------------------------- */

/* What the step is there, and what it is the half of. */
static void set_step(struct versions *s, LLVMBuilderRef b, struct ptrmap *map, unsigned step) {
    LLVMTypeRef type = LLVMTypeOf(s->step);
    LLVMValueRef value = LLVMConstInt(type, step, 0);
    if (!step) {
        value = LLVMBuildAnd(b, s->step, LLVMConstInt(type, ~(uint64_t)((1 << SHORT_STEPS) - 1), 0), "");
    }
    ptrmap_set(map, s->step, (uintptr_t)value);
    if (s->twice) {
        LLVMValueRef lowest = LLVMBuildAnd(b, s->twice, LLVMConstInt(type, 1, 0), "");
        LLVMValueRef twice = LLVMBuildShl(b, value, LLVMConstInt(type, 1, 0), "");
        ptrmap_set(map, s->twice, (uintptr_t)LLVMBuildOr(b, twice, lowest, ""));
    }
}

/* A loop over packs of its own, where it is known that all work-items come here. */
static void cut(struct versions *s, LLVMBuilderRef b) {
    if (s->barrier) {
        kernel_cut(s->k, b, s->barrier);
    }
}

/* The part with a number in place of the step, 0: with a multiple of what is beyond all numbers; returns the block where it
 * begins. */
static LLVMBasicBlockRef copy_part(struct versions *s, unsigned step) {
    struct ptrmap map = {0};
    char name[32];
    snprintf(name, sizeof name, "step.%u", step);
    LLVMBasicBlockRef start = LLVMInsertBasicBlockInContext(s->k->llvm, s->part.join, name);
    LLVMBuilderRef b = ir_at_end(start);
    cut(s, b);
    set_step(s, b, &map, step);
    LLVMDisposeBuilder(b);
    part_copy(&s->part, start, &map, name);
    return start;
}

/* Whether the step is this one, or for 0 a longer power of two. LLVM is not told that it is a multiple, or would leave that
 * out. */
static LLVMValueRef is_step_of(struct versions *s, LLVMBuilderRef b, unsigned step) {
    LLVMTypeRef type = LLVMTypeOf(s->step);
    if (step) {
        return LLVMBuildICmp(b, LLVMIntEQ, s->step, LLVMConstInt(type, step, 0), "");
    }
    LLVMValueRef bits = ir_intrinsic(b, "llvm.ctpop", &type, 1, &s->step, 1);
    return LLVMBuildICmp(b, LLVMIntULT, bits, LLVMConstInt(type, 2, 0), "");
}

/* `before` has no end yet: it leads to the copy for the step, or to the part as it was. */
static void choose(struct versions *s, LLVMBasicBlockRef before) {
    LLVMBasicBlockRef any = s->part.blocks.at[0];
    for (unsigned n = 0; n <= SHORT_STEPS; n++) {
        unsigned step = n < SHORT_STEPS ? 1 << n : 0;
        LLVMBasicBlockRef version = copy_part(s, step);
        LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(s->k->llvm, any, "");
        LLVMBuilderRef b = ir_at_end(before);
        LLVMBuildCondBr(b, is_step_of(s, b, step), version, next);
        LLVMDisposeBuilder(b);
        before = next;
    }
    LLVMBuilderRef b = ir_at_end(before);
    cut(s, b);
    LLVMBuildBr(b, any);
    LLVMDisposeBuilder(b);
}

/* ---- the pass ---------------------------------------------------------------------------------------------- */

static bool find(struct versions *s, struct kernel *k, LLVMBasicBlockRef first) {
    *s = (struct versions){.k = k, .part = {.k = k}};
    if (!part_find(&s->part, first, NULL, MOST_INSTRUCTIONS, false)) {
        return false;
    }
    uniform_run(k, &s->group);
    s->step = step_of_part(s);
    s->twice = s->step ? twice_of(s->step) : NULL;
    return s->step;
}

/* Whether the code from `first` on, to which one block leads, got versions; *done gets its blocks. `barrier`: right before it, or
 * NULL. */
static bool versions_from(struct kernel *k, LLVMBasicBlockRef first, LLVMValueRef barrier,
                          struct ptrmap *done) {
    LLVMValueRef branch = LLVMGetUser(LLVMGetFirstUse(LLVMBasicBlockAsValue(first)));
    LLVMBasicBlockRef before = LLVMGetInstructionParent(branch);
    struct versions s;
    bool found = find(&s, k, first);
    if (!found) { /* the first block alone, without its end */
        part_before(LLVMGetBasicBlockTerminator(first), "rest");
        found = find(&s, k, first);
    }
    for (size_t n = 0; found && n < s.part.blocks.n; n++) {
        ptrmap_set(done, s.part.blocks.at[n], 1);
    }
    if (found) {
        s.barrier = barrier;
        part_export(&s.part);
        LLVMInstructionEraseFromParent(branch);
        choose(&s, before);
    }
    return found;
}

void step_versions_pass(struct kernel *k) {
    struct list barriers = {0}, loops = {0}, firsts = {0};
    struct ptrmap done = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        bool counts = false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            counts |= LLVMIsAPHINode(i) && is_step(i);
            if (ir_is_call_to(i, "__weir_barrier")) {
                list_add(&barriers, i);
            }
        }
        if (counts) {
            list_add(&loops, b);
        }
    }
    if (!loops.n || !barriers.n || !k->optimize || k->checked) {
        return;
    }
    for (size_t n = 0; n < barriers.n; n++) {
        part_before(barriers.at[n], "barrier");
        list_add(&firsts, part_before(LLVMGetNextInstruction(barriers.at[n]), "stepped"));
    }
    for (size_t n = 0; n < loops.n; n++) {
        list_add(&firsts, part_before(ir_after_phis(LLVMGetFirstInstruction(loops.at[n])), "stepped"));
    }
    for (size_t n = 0, places = 0; n < firsts.n && places < MOST_PLACES; n++) {
        LLVMValueRef barrier = n < barriers.n ? barriers.at[n] : NULL;
        places += !ptrmap_at(&done, firsts.at[n], 0) && versions_from(k, firsts.at[n], barrier, &done);
    }
}
