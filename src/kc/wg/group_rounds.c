/* group_rounds.c: loops whose rounds go on to another row each, in which all packs of a group do one round before any does the
 * next.
 *
 * In: k->run, specialized for a local size, before `cuts`. Out: the same with a cut (kernel_cut) where each round of such a loop
 * begins. Memory is then read and written by rows of the group, which lie side by side, instead of by a pack's part of rows
 * far apart: processors fetch what comes next in a row. Nothing orders work-items in such a loop, so any order is right.
 *     for (i = 0; i < n; i++) atomic_inc(&bins[in[i * size + l]]);        each round a region: for all packs: ... in[...] ...
 * A loop is one if it has no other loop in it, all packs do equally many rounds, and no value of a work-item's own lives on from
 * round to round: that would be a load and a store in each. At least one access to global memory is of a row of work-items, another
 * row with each round; and none may come back to lines that the round before has used.
 *     for (i = id; i < n; i += size) b[i] = f(a[i]);
 * has another number of rounds for some work-items, those with the highest ids. If `n` and the step are so small that nothing
 * wraps around, which a branch asks, there is a version of the loop that the group leaves when its first work-item does:
 *     for (u = 0; first + u < n; u += size) if (l < n - (first + u)) b[id + u] = f(a[id + u]);
 * What it can't do: loops with a branch that leaves them from within; sums over rounds, for which it would gain nothing. */
#include "analysis.h"
#include "lower.h"
#include "wg.h"

enum {
    LEAST_ROW = 256, /* bytes of a row that a group accesses; less is no more than a pack's */
    LINE = 64,       /* bytes */
    MOST_KEPT = 2,   /* values of each work-item that a round reads from the context */
    MOST_INSTRUCTIONS = 200,
    DEPTH = 8
};

struct rounds {
    struct kernel *k;
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    unsigned char *parted;
    struct uniform group, pack;
};

/* A loop that ends where a round does. */
struct round_loop {
    const struct graph_loop *nodes;
    LLVMBasicBlockRef header, before, latch, exit; /* `before` alone leads to it from outside */
    struct ptrmap in;                              /* its instructions */
    bool all_leave;                                /* the group's work-items, after the same round */
    bool is_used;                                  /* its values, by what comes after it */
};

/* ---- which loops ------------------------------------------------------------------------------------------- */

static bool has_node(const struct round_loop *l, unsigned node) {
    return graph_loop_has(l->nodes, node);
}

/* The only block from which a way leads to the header, from within the loop or from outside; or NULL. */
static LLVMBasicBlockRef one_before(const struct rounds *r, const struct round_loop *l, bool within) {
    LLVMBasicBlockRef found = NULL;
    for (unsigned p = 0; p < r->cfg->npred[l->nodes->header]; p++) {
        unsigned from = r->cfg->pred[l->nodes->header][p];
        if (has_node(l, from) == within) {
            if (found) {
                return NULL;
            }
            found = r->blocks[from];
        }
    }
    return found;
}

static bool leaves_at_latch(const struct rounds *r, struct round_loop *l) {
    for (size_t n = 0; n < l->nodes->nodes.n; n++) {
        unsigned node = (unsigned)(uintptr_t)l->nodes->nodes.at[n];
        for (unsigned s = 0; s < r->cfg->nsucc[node]; s++) {
            unsigned to = r->cfg->succ[node][s];
            if (!has_node(l, to)) {
                if (r->blocks[node] != l->latch || l->exit) {
                    return false;
                }
                l->exit = r->blocks[to];
            }
        }
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(l->latch);
    return l->exit && LLVMIsABranchInst(end) && LLVMGetNumSuccessors(end) == 2;
}

static bool has_shape(const struct rounds *r, struct round_loop *l, const struct list *loops) {
    for (size_t n = 0; n < loops->n; n++) {
        const struct graph_loop *other = loops->at[n];
        if (other != l->nodes && has_node(l, other->header)) {
            return false;
        }
    }
    l->header = r->blocks[l->nodes->header];
    l->before = one_before(r, l, false);
    l->latch = one_before(r, l, true);
    return l->before && l->latch && leaves_at_latch(r, l);
}

/* Whether others may do their round before this one ends. */
static bool may_take_turns(LLVMValueRef i) {
    bool is_call = LLVMIsACallInst(i) && !ir_is_marker(i) && !ir_has_no_effect(i) && !intrinsic_id(i, NULL);
    bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
    return !is_call && !subgroup_is_op(i) && !LLVMIsAFenceInst(i) && !LLVMIsAAllocaInst(i) &&
           !LLVMIsAInvokeInst(i) && !(is_access && LLVMGetVolatile(i));
}

/* Whether a value is another one in each round, by a counter or by what is read at an address that is. */
static bool goes_on_with_rounds(const struct round_loop *l, LLVMValueRef v, unsigned depth) {
    if (LLVMIsAPHINode(v)) {
        return LLVMGetInstructionParent(v) == l->header;
    }
    for (int n = 0; depth && ptrmap_at(&l->in, v, 0) && n < LLVMGetNumOperands(v); n++) {
        if (goes_on_with_rounds(l, LLVMGetOperand(v, (unsigned)n), depth - 1)) {
            return true;
        }
    }
    return false;
}

static LLVMValueRef as_it_is(const void *arg, LLVMValueRef v) {
    return NULL;
}

/* Whether a value is made of what the loop reads. */
static bool is_read(const struct round_loop *l, LLVMValueRef v, unsigned depth) {
    bool found = LLVMIsALoadInst(v) && !kernel_is_invariant(v);
    for (int n = 0;
         !found && depth && ptrmap_at(&l->in, v, 0) && !LLVMIsAPHINode(v) && n < LLVMGetNumOperands(v); n++) {
        found = is_read(l, LLVMGetOperand(v, (unsigned)n), depth - 1);
    }
    return found;
}

/* Whether an access of a round is fit for others to do theirs before the next: atomic; or to local memory or to a place that
 * lanes share; or one of a row, then *rows if in global memory and of another row in each round; or anywhere, as data tell. In a
 * loop from id to id no round comes back to a line of the one before, in others it might. What each round stores to one place
 * LLVM would keep in a register, and private memory lives on. */
static bool is_fit(const struct rounds *r, const struct round_loop *l, LLVMValueRef access, bool *rows) {
    bool writes = LLVMIsAStoreInst(access) != NULL;
    LLVMValueRef at = writes || LLVMIsALoadInst(access) ? ir_address(access) : NULL;
    unsigned space = at ? LLVMGetPointerAddressSpace(LLVMTypeOf(at)) : AS_LOCAL;
    if (!at || kernel_is_invariant(access)) {
        return true;
    }
    if (space == AS_PRIVATE || (writes && !goes_on_with_rounds(l, at, DEPTH))) {
        return false;
    }
    if (space == AS_LOCAL || uniform_is(&r->pack, at)) {
        return true;
    }
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(r->k->module);
    struct address_way way = {&r->pack, layout, as_it_is, NULL};
    int64_t size = (int64_t)LLVMABISizeOfType(layout, ir_access_type(access)), stride;
    bool near = address_stride(&way, at, &stride) && stride > 0 && stride <= (l->all_leave ? size : LINE);
    *rows |= near && (uint64_t)stride * r->k->local_size[0] >= LEAST_ROW && goes_on_with_rounds(l, at, DEPTH);
    return near || !l->all_leave || is_read(l, at, DEPTH);
}

/* Whether another instruction than the loop's uses a value of it that work-items have of their own; with `all`, any. */
static bool lives_on(const struct rounds *r, const struct round_loop *l, LLVMValueRef v, bool all) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        if (!ptrmap_at(&l->in, LLVMGetUser(u), 0) && (all || !uniform_is(&r->group, v))) {
            return true;
        }
    }
    return false;
}

/* Whether rounds work by rows, and need few values from before. */
static bool is_by_rows(struct rounds *r, struct round_loop *l) {
    struct ptrmap kept = {0};
    bool rows = false;
    unsigned length = 0;
    for (size_t n = 0; n < l->nodes->nodes.n; n++) {
        LLVMBasicBlockRef b = r->blocks[(uintptr_t)l->nodes->nodes.at[n]];
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            ptrmap_set(&l->in, i, 1);
        }
    }
    for (size_t n = 0; n < l->nodes->nodes.n; n++) {
        LLVMBasicBlockRef b = r->blocks[(uintptr_t)l->nodes->nodes.at[n]];
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (++length > MOST_INSTRUCTIONS || !may_take_turns(i) || lives_on(r, l, i, false) ||
                !is_fit(r, l, i, &rows)) {
                return false;
            }
            l->is_used |= lives_on(r, l, i, true);
            for (int o = 0; o < LLVMGetNumOperands(i); o++) {
                LLVMValueRef v = LLVMGetOperand(i, (unsigned)o);
                if (LLVMIsAInstruction(v) && !ptrmap_at(&l->in, v, 0) && !LLVMIsAAllocaInst(v) &&
                    slots_would_keep(r->k, &r->group, v)) {
                    ptrmap_set(&kept, v, 1);
                }
            }
        }
    }
    return rows && kept.used <= MOST_KEPT;
}

static bool shares_counters(const struct rounds *r, const struct round_loop *l) {
    bool shared = true;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(l->header); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        shared &= uniform_is(&r->group, phi);
    }
    return shared;
}

static void cut_before(struct rounds *r, LLVMValueRef i, LLVMValueRef like) {
    LLVMBuilderRef b = ir_before(i);
    kernel_cut(r->k, b, like);
    LLVMDisposeBuilder(b);
}

/* ---- loops from an id to a bound --------------------------------------------------------------------------- */

struct id_loop {
    struct round_loop *l;
    LLVMValueRef counter, start, next, step, bound; /* of the first, what it is before the loop */
    LLVMValueRef guard;                             /* the branch around the loop */
    LLVMBasicBlockRef into;                         /* where it goes if there is a round */
};

/* Whether the condition holds just if x < bound; *to: the way on which it does. */
static bool is_below(LLVMValueRef branch, LLVMBasicBlockRef to, LLVMValueRef *x, LLVMValueRef *bound,
                     bool *is_signed) {
    LLVMValueRef c = LLVMGetCondition(branch);
    if (!LLVMIsAICmpInst(c)) {
        return false;
    }
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    p = LLVMGetSuccessor(branch, 0) == to ? p : ir_opposite(p);
    bool swapped = p == LLVMIntUGT || p == LLVMIntSGT;
    p = swapped ? ir_swapped(p) : p;
    *x = LLVMGetOperand(c, swapped);
    *bound = LLVMGetOperand(c, !swapped);
    *is_signed = p == LLVMIntSLT;
    return p == LLVMIntSLT || p == LLVMIntULT;
}

/* Whether the value is the number that the group begins with plus the local id, which doesn't wrap around. */
static bool is_of_id(const struct rounds *r, LLVMValueRef v, unsigned depth) {
    unsigned dim;
    if (intrinsic_id(v, &dim) != ID_NONE) {
        return dim == 0;
    }
    if (!depth || !LLVMIsAInstruction(v)) {
        return false;
    }
    if (LLVMIsAZExtInst(v)) {
        return is_of_id(r, LLVMGetOperand(v, 0), depth - 1);
    }
    bool exact = (ir_is_op(v, LLVMAdd) && LLVMGetNUW(v)) || (ir_is_op(v, LLVMOr) && LLVMGetIsDisjoint(v));
    return exact &&
           (uniform_is(&r->group, LLVMGetOperand(v, 0)) ? is_of_id(r, LLVMGetOperand(v, 1), depth - 1)
                                                        : uniform_is(&r->group, LLVMGetOperand(v, 1)) &&
                                                              is_of_id(r, LLVMGetOperand(v, 0), depth - 1));
}

/* The group's first work-item's. */
static LLVMValueRef first_of(struct rounds *r, LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    switch (intrinsic_id(v, NULL)) {
    case ID_LOCAL:
        return LLVMConstNull(type);
    case ID_GLOBAL:
        return LLVMBuildTruncOrBitCast(b, kernel_first_id(r->k, b, 0), type, "first");
    default:
        break;
    }
    if (LLVMIsAZExtInst(v)) {
        return LLVMBuildZExt(b, first_of(r, b, LLVMGetOperand(v, 0)), type, "first");
    }
    bool shared = uniform_is(&r->group, LLVMGetOperand(v, 0));
    return LLVMBuildNUWAdd(b, LLVMGetOperand(v, !shared), first_of(r, b, LLVMGetOperand(v, shared)), "first");
}

/* The branch that goes around the loop just if it would have no round. */
static bool find_guard(struct id_loop *d, bool is_signed) {
    LLVMBasicBlockRef before = d->l->before;
    LLVMValueRef x, bound;
    bool guard_signed;
    d->guard = LLVMGetBasicBlockTerminator(before);
    d->into = d->l->header;
    if (LLVMGetNumSuccessors(d->guard) == 1) {
        d->into = before;
        before = ir_only_predecessor(before);
        d->guard = before ? LLVMGetBasicBlockTerminator(before) : NULL;
    }
    bool splits = d->guard && LLVMIsABranchInst(d->guard) && LLVMGetNumSuccessors(d->guard) == 2;
    return splits &&
           (LLVMGetSuccessor(d->guard, 0) == d->into) != (LLVMGetSuccessor(d->guard, 1) == d->into) &&
           (LLVMGetSuccessor(d->guard, 0) == d->l->exit || LLVMGetSuccessor(d->guard, 1) == d->l->exit) &&
           is_below(d->guard, d->into, &x, &bound, &guard_signed) && guard_signed == is_signed &&
           ir_unextended(x) == ir_unextended(d->start) && ir_unextended(bound) == ir_unextended(d->bound);
}

/* Whether what stands between the guard and the loop may run for all. */
static bool may_always_run(LLVMBasicBlockRef b) {
    bool may = true;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !LLVMIsATerminatorInst(i);
         i = LLVMGetNextInstruction(i)) {
        may &= ir_is_marker(i) || intrinsic_id(i, NULL) ||
               ((ir_is_address_arithmetic(i) || LLVMIsAICmpInst(i) || LLVMIsASelectInst(i)) &&
                !ir_is_division(i)) ||
               (LLVMIsALoadInst(i) && kernel_is_invariant(i));
    }
    return may;
}

/* An extension tells what the number was as the comparison does. */
static bool extends_well(LLVMValueRef bound, bool is_signed) {
    return is_signed ? !LLVMIsAZExtInst(bound) : !LLVMIsASExtInst(bound);
}

static bool find_id_loop(const struct rounds *r, struct id_loop *d) {
    struct round_loop *l = d->l;
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(l->latch);
    bool is_signed;
    d->counter = LLVMGetFirstInstruction(l->header);
    if (!LLVMIsAPHINode(d->counter) || LLVMIsAPHINode(LLVMGetNextInstruction(d->counter)) || l->is_used ||
        LLVMIsAPHINode(LLVMGetFirstInstruction(l->exit)) ||
        !is_below(branch, l->header, &d->next, &d->bound, &is_signed) || !extends_well(d->bound, is_signed)) {
        return false;
    }
    d->start = ir_incoming(d->counter, l->before);
    bool adds = ir_is_op(d->next, LLVMAdd) && ir_incoming(d->counter, l->latch) == d->next;
    bool second = adds && LLVMGetOperand(d->next, 1) == d->counter;
    d->step = adds && LLVMGetOperand(d->next, second) == d->counter ? LLVMGetOperand(d->next, !second) : NULL;
    bool shared = d->step && uniform_is(&r->group, d->step) && uniform_is(&r->group, d->bound) &&
                  !ptrmap_at(&l->in, d->step, 0) && !ptrmap_at(&l->in, d->bound, 0);
    unsigned bits = shared ? LLVMGetIntTypeWidth(LLVMTypeOf(d->counter)) : 0;
    return (bits == 32 || bits == 64) && is_of_id(r, d->start, DEPTH) && find_guard(d, is_signed) &&
           (d->into == l->header || may_always_run(d->into));
}

/* i1: no sum of a number below the bound, a step and a local id wraps around. */
static LLVMValueRef build_fits(LLVMBuilderRef b, const struct id_loop *d) {
    LLVMTypeRef type = LLVMTypeOf(d->counter);
    LLVMValueRef most = LLVMConstInt(type, UINT64_C(1) << (LLVMGetIntTypeWidth(type) - 2), 0);
    return LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntULT, d->bound, most, ""),
                        LLVMBuildICmp(b, LLVMIntULT, d->step, most, ""), "fits");
}

static void end_with(LLVMBasicBlockRef block, LLVMBasicBlockRef to) {
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block));
    LLVMBuilderRef b = ir_at_end(block);
    LLVMBuildBr(b, to);
    LLVMDisposeBuilder(b);
}

/* The copy goes around as long as the group's first work-item does. */
static void go_together(struct rounds *r, const struct id_loop *d, const struct ptrmap *map,
                        LLVMValueRef first, LLVMBasicBlockRef around) {
    struct kernel *k = r->k;
    LLVMBasicBlockRef header = (LLVMBasicBlockRef)ptrmap_at(map, d->l->header, 0),
                      latch = (LLVMBasicBlockRef)ptrmap_at(map, d->l->latch, 0),
                      into = (LLVMBasicBlockRef)ptrmap_at(map, d->into, 0),
                      round = LLVMInsertBasicBlockInContext(k->llvm, header, "round"),
                      some = LLVMInsertBasicBlockInContext(k->llvm, header, "some"),
                      on = LLVMInsertBasicBlockInContext(k->llvm, d->l->exit, "on"),
                      before = into == header ? around : into;
    LLVMValueRef counter = (LLVMValueRef)ptrmap_at(map, d->counter, 0),
                 like = LLVMGetBasicBlockTerminator(d->l->latch);
    LLVMTypeRef type = LLVMTypeOf(counter);
    LLVMBuilderRef b = ir_at_end(round);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(like));
    LLVMValueRef done = LLVMBuildPhi(b, type, "done"), start = ir_incoming(counter, before);
    kernel_cut(k, b, like);
    LLVMValueRef here = LLVMBuildNUWAdd(b, first, done, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, here, d->bound, ""), some, d->l->exit);
    LLVMPositionBuilderAtEnd(b, some);
    LLVMValueRef left = LLVMBuildNUWSub(b, d->bound, here, ""),
                 id = kernel_local_id(k, b, LLVMInt32TypeInContext(k->llvm));
    id = LLVMBuildZExtOrBitCast(b, id, type, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, id, left, ""), header, on);
    LLVMPositionBuilderAtEnd(b, on);
    LLVMValueRef next = LLVMBuildNUWAdd(b, done, d->step, "");
    LLVMSetNSW(next, 1);
    LLVMBuildBr(b, round);
    LLVMAddIncoming(done, (LLVMValueRef[]){LLVMConstNull(type), next}, (LLVMBasicBlockRef[]){before, on}, 2);
    LLVMPositionBuilderBefore(b, ir_after_phis(LLVMGetFirstInstruction(header)));
    LLVMValueRef number = LLVMBuildNUWAdd(b, start, done, "");
    LLVMSetNSW(number, 1);
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(counter, number);
    LLVMInstructionEraseFromParent(counter);
    end_with(latch, on);
    if (into != header) {
        end_with(around, into);
    }
    end_with(before, round);
}

/* False: nothing has changed. */
static bool make_version(struct rounds *r, struct id_loop *d) {
    struct kernel *k = r->k;
    struct code_part part = {.k = k};
    struct ptrmap map = {0};
    LLVMBasicBlockRef guard = LLVMGetInstructionParent(d->guard);
    if (d->into != d->l->header) {
        LLVMBuilderRef b = ir_before(d->guard);
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(d->into); !LLVMIsATerminatorInst(i); i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMInstructionRemoveFromParent(i);
            LLVMInsertIntoBuilderWithName(b, i, "");
        }
        LLVMDisposeBuilder(b);
    }
    LLVMBasicBlockRef any = part_before(d->guard, "any");
    d->counter = LLVMGetFirstInstruction(d->l->header); /* a new one, if `any` leads to it */
    if (!part_find(&part, any, d->l->exit, MOST_INSTRUCTIONS, false)) {
        return false;
    }
    LLVMBuilderRef b = ir_before(LLVMGetBasicBlockTerminator(guard));
    LLVMValueRef first = first_of(r, b, d->start), fits = build_fits(b, d);
    LLVMBasicBlockRef start = LLVMInsertBasicBlockInContext(k->llvm, d->l->exit, "rounds");
    part_copy(&part, start, &map, "rounds");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(guard));
    LLVMPositionBuilderAtEnd(b, guard);
    ir_expect(LLVMBuildCondBr(b, fits, start, any));
    LLVMDisposeBuilder(b);
    go_together(r, d, &map, first, (LLVMBasicBlockRef)ptrmap_at(&map, any, 0));
    return true;
}

/* ---- the pass ---------------------------------------------------------------------------------------------- */

/* Whether it has changed which blocks there are. */
static bool look_at(struct rounds *r, const struct graph_loop *nodes, const struct list *loops) {
    struct round_loop l = {.nodes = nodes};
    if (!has_shape(r, &l, loops)) {
        return false;
    }
    l.all_leave = uniform_is(&r->group, LLVMGetBasicBlockTerminator(l.latch));
    if (!is_by_rows(r, &l)) {
        return false;
    }
    struct id_loop d = {.l = &l};
    if (l.all_leave && !r->parted[nodes->header] && shares_counters(r, &l)) {
        LLVMValueRef first = ir_after_phis(LLVMGetFirstInstruction(l.header));
        cut_before(r, first, LLVMGetBasicBlockTerminator(l.latch));
        return false;
    }
    if (l.all_leave || !r->k->small_ids || !find_id_loop(r, &d)) {
        return false;
    }
    unsigned guard = (unsigned)ptrmap_at(&r->index, LLVMGetInstructionParent(d.guard), 0);
    return !r->parted[guard] && make_version(r, &d);
}

static bool look_at_all(struct kernel *k, struct ptrmap *seen) {
    struct rounds r = {.k = k, .pack = {.of_pack = true, .width = k->width, .rows = 1}};
    r.cfg = cfg_of(k->run, &r.index, &r.blocks);
    uniform_run(k, &r.group);
    uniform_run(k, &r.pack);
    r.parted = cuts_parted(r.cfg, r.blocks, &r.group);
    struct list loops = graph_loops(r.cfg);
    for (size_t n = 0; n < loops.n; n++) {
        const struct graph_loop *loop = loops.at[n];
        LLVMBasicBlockRef header = r.blocks[loop->header];
        if (!ptrmap_at(seen, header, 0)) {
            ptrmap_set(seen, header, 1);
            if (look_at(&r, loop, &loops)) {
                return true;
            }
        }
    }
    return false;
}

void group_rounds_pass(struct kernel *k) {
    struct ptrmap seen = {0};
    bool waits;
    if (k->local_size[0] <= k->width || k->meta->uses_subgroups || k->checked || !k->optimize ||
        spin_loops_first(k, &waits)) {
        return;
    }
    while (look_at_all(k, &seen)) {
    }
}
