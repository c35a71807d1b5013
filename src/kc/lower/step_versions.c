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
    struct list part;         /* the blocks that are copied, the first one first */
    struct ptrmap in;         /* those, and their instructions */
    LLVMValueRef step, twice; /* twice: what `step` is the half of, rounded down, or NULL */
    LLVMBasicBlockRef join;
    LLVMValueRef barrier; /* right after which all come to them, or NULL */
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

static bool may_copy(LLVMValueRef i) {
    bool is_call = LLVMIsACallInst(i) && !ir_is_marker(i) && !ir_has_no_effect(i) && !intrinsic_id(i, NULL);
    return !is_call && !subgroup_is_op(i) && !LLVMIsAAllocaInst(i) && !LLVMIsAInvokeInst(i);
}

/* ---- which blocks ------------------------------------------------------------------------------------------ */

/* Adds the blocks from the first to where all ways meet; false: there are too many, or what can't be there twice. */
static bool find_part(struct versions *s, const struct graph *cfg, const struct ptrmap *index,
                      LLVMBasicBlockRef first) {
    unsigned *ipdom = graph_ipdom(cfg), n = 0;
    LLVMBasicBlockRef join = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->k->run); b; b = LLVMGetNextBasicBlock(b)) {
        join = ptrmap_at(index, b, cfg->n) == ipdom[ptrmap_at(index, first, 0)] ? b : join;
    }
    s->join = join;
    list_add(&s->part, first);
    ptrmap_set(&s->in, first, 1);
    for (size_t at = 0; at < s->part.n; at++) {
        LLVMBasicBlockRef b = s->part.at[at];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            ptrmap_set(&s->in, i, 1);
            if (++n > MOST_INSTRUCTIONS || !may_copy(i)) {
                return false;
            }
        }
        for (unsigned e = 0; e < LLVMGetNumSuccessors(end); e++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, e);
            if (to != join && !ptrmap_at(&s->in, to, 0)) {
                ptrmap_set(&s->in, to, 1);
                list_add(&s->part, to);
            }
        }
    }
    return join && !ptrmap_at(&s->in, join, 0);
}

static LLVMValueRef step_of_part(const struct versions *s) {
    for (size_t at = 0; at < s->part.n; at++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->part.at[at]); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef p = local_address(i), step = p ? step_behind(s, p, DEPTH) : NULL;
            if (step && !ptrmap_at(&s->in, step, 0)) {
                return step;
            }
        }
    }
    return NULL;
}

/* ---- where all ways meet ------------------------------------------------------------------------------------ */

/* Each way from the part's blocks to the join gives the phi this value. */
static void add_ways(struct versions *s, LLVMValueRef phi, LLVMValueRef value) {
    for (size_t at = 0; at < s->part.n; at++) {
        LLVMBasicBlockRef from = s->part.at[at];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        for (unsigned e = 0; e < LLVMGetNumSuccessors(end); e++) {
            if (LLVMGetSuccessor(end, e) == s->join) {
                LLVMAddIncoming(phi, &value, &from, 1);
            }
        }
    }
}

/* What others use of the part's values they take from a phi at the join: no other way leads there. */
static void export(struct versions *s, LLVMValueRef v) {
    LLVMValueRef phi = NULL;
    for (LLVMUseRef next, u = LLVMGetFirstUse(v); u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        bool is_at_join = LLVMIsAPHINode(user) && LLVMGetInstructionParent(user) == s->join;
        if (is_at_join || ptrmap_at(&s->in, user, 0)) {
            continue;
        }
        if (!phi) {
            LLVMBuilderRef b = ir_before(LLVMGetFirstInstruction(s->join));
            phi = LLVMBuildPhi(b, LLVMTypeOf(v), "");
            LLVMDisposeBuilder(b);
            add_ways(s, phi, v);
        }
        for (int o = 0; o < LLVMGetNumOperands(user); o++) {
            if (LLVMGetOperand(user, (unsigned)o) == v) {
                LLVMSetOperand(user, (unsigned)o, phi);
            }
        }
        while (next && LLVMGetUser(next) == user) { /* its operands are done */
            next = LLVMGetNextUse(next);
        }
    }
}

static void export_all(struct versions *s) {
    for (size_t at = 0; at < s->part.n; at++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->part.at[at]); i; i = LLVMGetNextInstruction(i)) {
            export(s, i);
        }
    }
}

/* What comes to the join from the part's blocks comes from their copies as well. */
static void add_incoming(LLVMValueRef phi, const struct ptrmap *map) {
    for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        uintptr_t copy;
        if (ptrmap_get(map, from, &copy)) {
            from = (LLVMBasicBlockRef)copy;
            value = (LLVMValueRef)ptrmap_at(map, value, (uintptr_t)value);
            LLVMAddIncoming(phi, &value, &from, 1);
        }
    }
}

/* ---- the copies -------------------------------------------------------------------------------------------- */

static bool is_of_step(const struct versions *s, LLVMValueRef v, unsigned depth) {
    bool may =
        LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsAGetElementPtrInst(v) || LLVMIsAICmpInst(v);
    for (int n = 0; may && depth && n < LLVMGetNumOperands(v); n++) {
        LLVMValueRef operand = LLVMGetOperand(v, (unsigned)n);
        if (operand == s->step || (s->twice && operand == s->twice) || is_of_step(s, operand, depth - 1)) {
            return true;
        }
    }
    return false;
}

/* What stands for the value in the copy; what comes from before it and is of the step is computed again there. */
static LLVMValueRef copied(struct versions *s, LLVMBuilderRef at_start, struct ptrmap *map, LLVMValueRef v) {
    uintptr_t known;
    if (ptrmap_get(map, v, &known)) {
        return (LLVMValueRef)known;
    }
    if (!LLVMIsAInstruction(v) || ptrmap_at(&s->in, v, 0) || !is_of_step(s, v, DEPTH)) {
        return v;
    }
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (int n = 0; n < LLVMGetNumOperands(copy); n++) {
        LLVMSetOperand(copy, (unsigned)n, copied(s, at_start, map, LLVMGetOperand(v, (unsigned)n)));
    }
    LLVMInsertIntoBuilderWithName(at_start, copy, "");
    ptrmap_set(map, v, (uintptr_t)copy);
    return copy;
}

static void copy_block(LLVMBasicBlockRef block, LLVMBasicBlockRef to, struct ptrmap *map) {
    LLVMBuilderRef b = ir_at_end(to);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        bool is_phi = LLVMIsAPHINode(i);
        LLVMValueRef copy = is_phi ? LLVMBuildPhi(b, LLVMTypeOf(i), "") : LLVMInstructionClone(i);
        if (!is_phi) {
            LLVMInsertIntoBuilderWithName(b, copy, "");
        }
        ptrmap_set(map, i, (uintptr_t)copy);
    }
    LLVMDisposeBuilder(b);
}

/* The copy's operands, blocks among them. */
static void lead(struct versions *s, LLVMBuilderRef at_start, struct ptrmap *map, LLVMValueRef i) {
    LLVMValueRef copy = (LLVMValueRef)ptrmap_at(map, i, 0);
    for (unsigned n = 0; LLVMIsAPHINode(i) && n < LLVMCountIncoming(i); n++) {
        LLVMValueRef value = copied(s, at_start, map, LLVMGetIncomingValue(i, n));
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(i, n);
        from = (LLVMBasicBlockRef)ptrmap_at(map, from, (uintptr_t)from);
        LLVMAddIncoming(copy, &value, &from, 1);
    }
    for (int o = 0; !LLVMIsAPHINode(i) && o < LLVMGetNumOperands(i); o++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)o);
        if (LLVMValueIsBasicBlock(operand)) {
            LLVMBasicBlockRef to = LLVMValueAsBasicBlock(operand);
            to = (LLVMBasicBlockRef)ptrmap_at(map, to, (uintptr_t)to);
            LLVMSetOperand(copy, (unsigned)o, LLVMBasicBlockAsValue(to));
        } else {
            LLVMSetOperand(copy, (unsigned)o, copied(s, at_start, map, operand));
        }
    }
}

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
    LLVMBasicBlockRef start = LLVMInsertBasicBlockInContext(s->k->llvm, s->join, name);
    LLVMBuilderRef at_start = ir_at_end(start);
    cut(s, at_start);
    set_step(s, at_start, &map, step);
    for (size_t at = 0; at < s->part.n; at++) {
        LLVMBasicBlockRef to = LLVMInsertBasicBlockInContext(s->k->llvm, s->join, name);
        ptrmap_set(&map, s->part.at[at], (uintptr_t)to);
        copy_block(s->part.at[at], to, &map);
    }
    for (size_t at = 0; at < s->part.n; at++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->part.at[at]); i; i = LLVMGetNextInstruction(i)) {
            lead(s, at_start, &map, i);
        }
    }
    LLVMBuildBr(at_start, (LLVMBasicBlockRef)ptrmap_at(&map, s->part.at[0], 0));
    LLVMDisposeBuilder(at_start);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(s->join); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        add_incoming(phi, &map);
    }
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
    LLVMBasicBlockRef any = s->part.at[0];
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
    struct ptrmap index = {0};
    LLVMBasicBlockRef *blocks;
    *s = (struct versions){.k = k};
    const struct graph *cfg = cfg_of(k->run, &index, &blocks);
    if (!find_part(s, cfg, &index, first)) {
        return false;
    }
    uniform_run(k, &s->group);
    s->step = step_of_part(s);
    s->twice = s->step ? twice_of(s->step) : NULL;
    return s->step;
}

/* The block's instructions from this one on become a block of their own, to which it goes on. */
static LLVMBasicBlockRef part_before(LLVMValueRef first, const char *name) {
    LLVMBasicBlockRef before = LLVMGetInstructionParent(first), rest = ir_split_before(first, name);
    LLVMBuilderRef b = ir_at_end(before);
    LLVMBuildBr(b, rest);
    LLVMDisposeBuilder(b);
    return rest;
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
    for (size_t n = 0; found && n < s.part.n; n++) {
        ptrmap_set(done, s.part.at[n], 1);
    }
    if (found) {
        s.barrier = barrier;
        export_all(&s);
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
