/* spin_loops.c: loops in which work-items wait for each other.
 *
 * In: k->run before regions are formed. Out: loops' exits that depend on what atomics or volatile loads in the loop
 * return, as in a spin lock. Of these loops, those that may *wait*: that go around until another work-item has written.
 * Lanes of a pack run in step: one that holds what another waits for could never let go, so such kernels run at width 1,
 * and work-items, or sub-groups, take turns (yield.c). Loops that *retry* what they have found changed don't wait, but lanes in
 * step may hinder each other for ever, or only one gets on with each round: they run at width 1, too, but for those with a lone
 * exchange (is_lone_exchange). The danger is what ElTantawy and Aamodt ("MIMD Synchronization on SIMT Architectures", 2016) call a
 * SIMT-induced deadlock; they find such loops by the same dependence.
 *     loop:
 *       %old = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 ...
 *       %got = extractvalue { i32, i1 } %old, 1
 *       br i1 %got, label %inside, label %loop      waits: its exit depends on the atomic in it
 * A loop doesn't wait if each way around it (own_progress.c says which branches tell that)
 *   - begins again because somebody else was faster: what an atomic found isn't what the work-item had found there before.
 *     Where nobody runs beside, it succeeds (lock-free);
 *   - takes one more from a counter that it compares with a bound, or counts its rounds, while it does something else, too;
 *   - looks at another place than the round before, as in a table or a list;
 *   - comes to a barrier.
 * What it can't do: tell whom a loop waits for, or see through memory. What it doesn't understand is taken to wait. */
#include "analysis.h"
#include <string.h>

#define NOBODYS UINT32_MAX /* stamp of loops that nobody enters */

struct waiting {
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    unsigned *loop;      /* by block: the loop that is looked at, or another number */
    struct spin_loop at; /* it */
    bool has_fence;
    LLVMValueRef first; /* a branch found that leaves a loop that retries */
    struct list places; /* on each way around loops that wait, each followed by an instruction of the loop */
};

bool spin_loops_observes(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: /* nobody else writes private memory */
        return (LLVMGetVolatile(i) && !private_base(LLVMGetOperand(i, 0))) ||
               LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    default:
        return false;
    }
}

bool spin_loops_observe(struct kernel *k) {
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run);
    for (; block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            bool is_call = LLVMIsACallInst(i) && !ir_is_intrinsic(i, "__weir_barrier") && !ir_is_marker(i) &&
                           !ir_has_no_effect(i);
            bool is_ordered = LLVMIsAStoreInst(i) && (LLVMGetVolatile(i) || LLVMGetOrdering(i));
            if (is_call || is_ordered || spin_loops_observes(i) || LLVMIsAFenceInst(i)) {
                return true;
            }
        }
    }
    return false;
}

static unsigned loop_of(const struct waiting *w, LLVMValueRef i) {
    return w->loop[ptrmap_at(&w->index, LLVMGetInstructionParent(i), 0)];
}

/* Whether the loop stores to the variable or buffer that `p` points to. */
static bool stores_to(const struct waiting *w, LLVMValueRef p) {
    for (unsigned n = 0; n < w->cfg->n; n++) {
        LLVMValueRef i = w->loop[n] == w->at.own ? LLVMGetFirstInstruction(w->blocks[n]) : NULL;
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAStoreInst(i) && ir_strip_offsets(LLVMGetOperand(i, 1)) == ir_strip_offsets(p)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether each round may find what others have written meanwhile, at the place where the round before it looked. */
static bool looks_again(const struct waiting *w, LLVMValueRef i) {
    bool is_plain = LLVMIsALoadInst(i) && w->has_fence && !kernel_is_invariant(i) &&
                    LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) != AS_CONSTANT &&
                    !private_base(LLVMGetOperand(i, 0)) && !stores_to(w, LLVMGetOperand(i, 0));
    return (spin_loops_observes(i) || is_plain) && own_progress_stays(&w->at, LLVMGetOperand(i, 0));
}

/* The same, so that of those who look only one finds what it wants: not of a counter, which gives each another number. */
static bool retries(const struct waiting *w, LLVMValueRef i) {
    return !LLVMIsAAtomicRMWInst(i) && looks_again(w, i);
}

typedef bool observation(const struct waiting *, LLVMValueRef);

/* Whether `v`, computed in the loop, depends there on such an observation, by data or by the branches that choose it. */
static bool depends(struct waiting *w, struct ptrmap *seen, LLVMValueRef v, observation *is_one) {
    uintptr_t ignored;
    if (!v || !LLVMIsAInstruction(v) || loop_of(w, v) != w->at.own || ptrmap_get(seen, v, &ignored)) {
        return false;
    }
    if (is_one(w, v)) {
        return true;
    }
    ptrmap_set(seen, v, 1);
    for (int n = 0; n < LLVMGetNumOperands(v); n++) {
        if (depends(w, seen, LLVMGetOperand(v, (unsigned)n), is_one)) {
            return true;
        }
    }
    unsigned ways = 0; /* from the loop to the PHI: of one, nothing chooses */
    for (unsigned n = 0; LLVMIsAPHINode(v) && n < LLVMCountIncoming(v); n++) {
        ways += w->loop[ptrmap_at(&w->index, LLVMGetIncomingBlock(v, n), 0)] == w->at.own;
    }
    if (ways < 2) {
        return false;
    }
    for (unsigned n = 0; LLVMIsAPHINode(v) && n < LLVMCountIncoming(v); n++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(v, n);
        if (depends(w, seen, LLVMGetBasicBlockTerminator(from), is_one)) {
            return true;
        }
        unsigned node = (unsigned)ptrmap_at(&w->index, from, 0); /* an arm: what branched to it */
        for (unsigned p = 0; p < w->cfg->npred[node]; p++) {
            LLVMBasicBlockRef pred = w->blocks[w->cfg->pred[node][p]];
            if (depends(w, seen, LLVMGetBasicBlockTerminator(pred), is_one)) {
                return true;
            }
        }
    }
    return false;
}

/* A branch that leaves the loop, and depends on such an observation, or NULL. */
static LLVMValueRef find_exit(struct waiting *w, void **nodes, size_t n, observation *is_one) {
    struct ptrmap seen = {0}; /* what one exit doesn't find there no other will */
    for (size_t i = 0; i < n; i++) {
        unsigned node = (unsigned)(uintptr_t)nodes[i];
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(w->blocks[node]);
        bool leaves = false;
        for (unsigned s = 0; s < w->cfg->nsucc[node]; s++) {
            leaves |= w->loop[w->cfg->succ[node][s]] != w->at.own;
        }
        if (leaves && w->cfg->nsucc[node] > 1 && depends(w, &seen, LLVMGetOperand(branch, 0), is_one)) {
            return branch;
        }
    }
    return NULL;
}

/* ---- which of them wait ---- */

/* What the loop has: fences, and whether it only looks at memory. */
static void look_at_instructions(struct waiting *w, void **nodes, size_t n) {
    w->has_fence = w->at.works = false;
    for (size_t k = 0; k < n; k++) {
        LLVMValueRef i = LLVMGetFirstInstruction(w->blocks[(uintptr_t)nodes[k]]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            bool is_call =
                LLVMIsACallInst(i) && !ir_is_marker(i) && !ir_has_no_effect(i) && !intrinsic_is_check(i);
            bool is_store = LLVMIsAStoreInst(i) && !private_base(LLVMGetOperand(i, 1));
            w->has_fence |= LLVMIsAFenceInst(i) != NULL;
            w->at.works |= is_call || is_store;
        }
    }
    for (size_t k = 0; k < n && !w->at.works; k++) { /* the pointers of what it looks at */
        LLVMValueRef i = LLVMGetFirstInstruction(w->blocks[(uintptr_t)nodes[k]]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            w->at.works |= (LLVMIsALoadInst(i) || spin_loops_observes(i)) &&
                           !own_progress_stays(&w->at, LLVMGetOperand(i, 0));
        }
    }
}

/* Whether there is a way around on which nothing tells that the loop gets on. */
static bool goes_around(struct waiting *w, unsigned header) {
    struct list work = {0};
    unsigned char *seen = job_alloc(w->cfg->n + 1);
    list_add(&work, (void *)(uintptr_t)header);
    for (size_t i = 0; i < work.n; i++) {
        unsigned node = (unsigned)(uintptr_t)work.at[i];
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(w->blocks[node]);
        bool waits = !ir_has_barrier(w->blocks[node]);
        for (unsigned s = 0; waits && s < w->cfg->nsucc[node]; s++) {
            unsigned to = w->cfg->succ[node][s];
            if (w->loop[to] != w->at.own || seen[to] || own_progress_on(&w->at, branch, s)) {
                continue;
            }
            if (to == header) {
                return true;
            }
            seen[to] = 1;
            list_add(&work, (void *)(uintptr_t)to);
        }
    }
    return false;
}

/* What a report names the loop by: the branch that leaves it, or else what it looks at. */
static LLVMValueRef with_a_line(struct waiting *w, LLVMValueRef exit) {
    for (unsigned n = 0; n < w->cfg->n && !LLVMInstructionGetDebugLoc(exit); n++) {
        LLVMValueRef i = w->loop[n] == w->at.own ? LLVMGetFirstInstruction(w->blocks[n]) : NULL;
        while (i && !(looks_again(w, i) && LLVMInstructionGetDebugLoc(i))) {
            i = LLVMGetNextInstruction(i);
        }
        exit = i ? i : exit;
    }
    return exit;
}

/* At the ends of blocks that lead nowhere but to the next round; else in the header, which the first round passes, too. */
static void add_places(struct waiting *w, unsigned header, LLVMValueRef exit) {
    struct list ends = {0};
    for (unsigned p = 0; p < w->cfg->npred[header]; p++) {
        unsigned from = w->cfg->pred[header][p];
        if (w->loop[from] != w->at.own) {
            continue;
        }
        if (w->cfg->nsucc[from] > 1) {
            list_add(&w->places, ir_after_phis(LLVMGetFirstInstruction(w->blocks[header])));
            list_add(&w->places, exit);
            return;
        }
        list_add(&ends, LLVMGetBasicBlockTerminator(w->blocks[from]));
    }
    for (size_t n = 0; n < ends.n; n++) {
        list_add(&w->places, ends.at[n]);
        list_add(&w->places, exit);
    }
}

/* Whether the pointer has an index that isn't known: then work-items may each have a place of their own. */
static bool is_chosen(LLVMValueRef pointer) {
    for (; LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer);
         pointer = LLVMGetOperand(pointer, 0)) {
        for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(pointer); n++) {
            if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, n))) {
                return true;
            }
        }
    }
    return false;
}

/* Whether all that the loop does to what others observe is one compare-and-exchange, at a place that is chosen. Lanes in step may run
 * it: one fails only where another one, or another thread, has succeeded since it looked, so with each round the first lane at each
 * place gets on. Of two exchanges each lane could take one, find the other taken, and give its own back, for ever. At one place for
 * all, lanes would only fail. */
static bool is_lone_exchange(const struct waiting *w, void **nodes, size_t n) {
    LLVMValueRef exchange = NULL;
    for (size_t k = 0; k < n; k++) {
        LLVMValueRef i = LLVMGetFirstInstruction(w->blocks[(uintptr_t)nodes[k]]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            bool is_call =
                LLVMIsACallInst(i) && !ir_is_marker(i) && !ir_has_no_effect(i) && !intrinsic_is_check(i);
            bool is_store = LLVMIsAStoreInst(i) && (LLVMGetVolatile(i) || LLVMGetOrdering(i));
            if (is_call || is_store || LLVMIsAAtomicRMWInst(i) || (exchange && LLVMIsAAtomicCmpXchgInst(i))) {
                return false;
            }
            exchange = LLVMIsAAtomicCmpXchgInst(i) ? i : exchange;
        }
    }
    return exchange && is_chosen(LLVMGetOperand(exchange, 0));
}

static void look_at_loop(struct waiting *w, void **nodes, size_t n, unsigned header) {
    w->at.header = w->blocks[header];
    look_at_instructions(w, nodes, n);
    LLVMValueRef exit = find_exit(w, nodes, n, looks_again);
    if (!w->first && !is_lone_exchange(w, nodes, n)) {
        w->first = find_exit(w, nodes, n, retries);
    }
    if (exit && goes_around(w, header)) {
        add_places(w, header, with_a_line(w, exit));
    }
}

/* ---- all loops ---- */

static void stamp(struct waiting *w, const struct graph_loop *loop, unsigned own) {
    for (size_t k = 0; k < loop->nodes.n; k++) {
        w->loop[(uintptr_t)loop->nodes.at[k]] = own;
    }
}

/* Whether somebody enters the loop that has this stamp: else it is behind a condition that is known, with all loops in it. */
static bool is_entered(struct waiting *w, const struct graph_loop *loop, unsigned own) {
    for (unsigned p = 0; p < w->cfg->npred[loop->header]; p++) {
        unsigned from = w->loop[w->cfg->pred[loop->header][p]];
        if (from != own && from != NOBODYS) {
            return true;
        }
    }
    return false;
}

static void find(struct kernel *k, struct waiting *w) {
    if (!spin_loops_observe(k)) {
        return;
    }
    w->cfg = cfg_of(k->run, &w->index, &w->blocks);
    w->cfg = cfg_taken(w->cfg, w->blocks);
    w->loop = job_alloc((w->cfg->n + 1) * sizeof *w->loop);
    w->at = (struct spin_loop){.cfg = w->cfg, .index = &w->index, .blocks = w->blocks, .stamp = w->loop};
    struct list loops = graph_loops(w->cfg);
    for (size_t i = 0; i < loops.n; i++) {
        const struct graph_loop *loop = loops.at[i];
        w->at.own = (unsigned)i + 1;
        stamp(w, loop, w->at.own);
        if (!is_entered(w, loop, w->at.own)) {
            stamp(w, loop, NOBODYS);
            continue;
        }
        look_at_loop(w, loop->nodes.at, loop->nodes.n, loop->header);
    }
}

LLVMValueRef spin_loops_first(struct kernel *k, bool *waits) {
    struct waiting w = {0};
    find(k, &w);
    *waits = w.places.n;
    return w.places.n ? w.places.at[1] : w.first;
}

struct list spin_loops_places(struct kernel *k) {
    struct waiting w = {0};
    find(k, &w);
    return w.places;
}
