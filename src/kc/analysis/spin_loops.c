/* spin_loops.c: loops in which work-items wait for each other.
 *
 * In: k->run before regions are formed. Out: loops' exits that depend on what atomics or volatile loads in the loop
 * return, as in a spin lock. Lanes of a pack run in step: one that holds what another waits for could never let go, so
 * such kernels run at width 1, where work-items take turns. Where sub-groups wait they yield there (yield.c). The danger
 * is what ElTantawy and Aamodt ("MIMD Synchronization on SIMT Architectures", 2016) call a SIMT-induced deadlock; they
 * find such loops by the same dependence.
 *     loop:
 *       %old = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 ...
 *       %got = extractvalue { i32, i1 } %old, 1
 *       br i1 %got, label %inside, label %loop      a spin loop: its exit depends on the atomic in it
 * What it can't do: tell whom a loop waits for. One that takes work from a counter looks the same, and gets width 1. */
#include "analysis.h"
#include <string.h>

struct waiting {
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    unsigned *loop; /* by block: the loop that is looked at, or another number */
    unsigned loops;
    struct list exits; /* branches found, each followed by the index of a successor in the loop */
};

static bool is_observation(LLVMValueRef i) {
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
            if (is_call || is_ordered || is_observation(i) || LLVMIsAFenceInst(i)) {
                return true;
            }
        }
    }
    return false;
}

static unsigned loop_of(const struct waiting *w, LLVMValueRef i) {
    return w->loop[ptrmap_at(&w->index, LLVMGetInstructionParent(i), 0)];
}

/* Whether `v`, computed in the loop, depends there on an observation, by data or by the branches that choose it. */
static bool depends(struct waiting *w, struct ptrmap *seen, LLVMValueRef v, unsigned loop) {
    uintptr_t ignored;
    if (!v || !LLVMIsAInstruction(v) || loop_of(w, v) != loop || ptrmap_get(seen, v, &ignored)) {
        return false;
    }
    if (is_observation(v)) {
        return true;
    }
    ptrmap_set(seen, v, 1);
    for (int n = 0; n < LLVMGetNumOperands(v); n++) {
        if (depends(w, seen, LLVMGetOperand(v, (unsigned)n), loop)) {
            return true;
        }
    }
    for (unsigned n = 0; LLVMIsAPHINode(v) && n < LLVMCountIncoming(v); n++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(v, n);
        if (depends(w, seen, LLVMGetBasicBlockTerminator(from), loop)) {
            return true;
        }
        unsigned node = (unsigned)ptrmap_at(&w->index, from, 0); /* an arm: what branched to it */
        for (unsigned p = 0; p < w->cfg->npred[node]; p++) {
            LLVMBasicBlockRef pred = w->blocks[w->cfg->pred[node][p]];
            if (depends(w, seen, LLVMGetBasicBlockTerminator(pred), loop)) {
                return true;
            }
        }
    }
    return false;
}

static void find_exits(struct waiting *w, void **nodes, size_t n, unsigned loop) {
    for (size_t i = 0; i < n; i++) {
        unsigned node = (unsigned)(uintptr_t)nodes[i];
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(w->blocks[node]);
        bool leaves = false;
        for (unsigned s = 0; s < w->cfg->nsucc[node]; s++) {
            leaves |= w->loop[w->cfg->succ[node][s]] != loop;
        }
        struct ptrmap seen = {0};
        if (!leaves || w->cfg->nsucc[node] < 2 || !depends(w, &seen, LLVMGetOperand(branch, 0), loop)) {
            continue;
        }
        for (unsigned s = 0; s < w->cfg->nsucc[node]; s++) {
            if (w->loop[w->cfg->succ[node][s]] == loop) {
                list_add(&w->exits, branch);
                list_add(&w->exits, (void *)(uintptr_t)s);
            }
        }
    }
}

/* All loops among the nodes; `inner`: and the loops in them, which are what is left of them without a node where they
 * are entered. */
static void find_loops(struct waiting *w, void **nodes, size_t n, bool inner) {
    struct components found = {0};
    unsigned all = ++w->loops;
    for (size_t i = 0; i < n; i++) {
        w->loop[(uintptr_t)nodes[i]] = all;
    }
    graph_components(w->cfg, w->loop, all, nodes, n, &found);
    for (size_t i = found.starts.n, end = found.nodes.n; i-- > 0;) {
        size_t start = (size_t)found.starts.at[i], count = end - start;
        void **part = found.nodes.at + start;
        unsigned first = (unsigned)(uintptr_t)part[0], own = ++w->loops;
        end = start;
        if (count == 1 && !graph_has_edge(w->cfg, first, first)) {
            continue;
        }
        struct list rest = {0};
        unsigned header = UINT32_MAX;
        for (size_t k = 0; k < count; k++) {
            w->loop[(uintptr_t)part[k]] = own;
        }
        for (size_t k = 0; k < count; k++) {
            unsigned node = (unsigned)(uintptr_t)part[k];
            for (unsigned p = 0; p < w->cfg->npred[node] && header == UINT32_MAX; p++) {
                header = w->loop[w->cfg->pred[node][p]] != own ? node : header;
            }
            if (node != header) {
                list_add(&rest, part[k]);
            }
        }
        find_exits(w, part, count, own);
        if (inner) {
            find_loops(w, rest.at, rest.n, true);
        }
    }
}

static struct list find(struct kernel *k, bool inner) {
    struct waiting w = {0};
    struct list nodes = {0};
    w.cfg = cfg_of(k->run, &w.index, &w.blocks);
    w.loop = job_alloc((w.cfg->n + 1) * sizeof *w.loop);
    for (unsigned n = 0; n < w.cfg->n; n++) {
        list_add(&nodes, (void *)(uintptr_t)n);
    }
    find_loops(&w, nodes.at, nodes.n, inner);
    return w.exits;
}

LLVMValueRef spin_loops_first(struct kernel *k) {
    struct list exits = find(k, false);
    return exits.n ? exits.at[0] : NULL;
}

struct list spin_loops_exits(struct kernel *k) {
    return find(k, true);
}
