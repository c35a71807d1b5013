/* waiting.c: loops in which work-items wait for each other.
 *
 * In: k->run before regions are formed. Out: a loop's exit that depends on what atomics or volatile loads in the loop
 * return, as in a spin lock, if there is one. Lanes of a pack run in step: one that holds what another waits for could
 * never let go, so such kernels run at width 1, where work-items take turns. */
#include "kc.h"
#include <string.h>

struct waiting {
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    unsigned *component; /* by block: its outermost loop (strongly connected component), or 0 */
};

static void find_loops(struct waiting *w) {
    unsigned *all = job_alloc((w->cfg->n + 1) * sizeof *all); /* one set: every block */
    struct list nodes = {0};
    for (unsigned n = 0; n < w->cfg->n; n++) {
        list_add(&nodes, (void *)(uintptr_t)n);
    }
    struct components found = {0};
    graph_components(w->cfg, all, 0, nodes.at, nodes.n, &found);
    w->component = job_alloc((w->cfg->n + 1) * sizeof *w->component);
    for (size_t i = 0; i < found.starts.n; i++) {
        size_t start = (size_t)found.starts.at[i];
        size_t end = i + 1 < found.starts.n ? (size_t)found.starts.at[i + 1] : found.nodes.n;
        unsigned first = (unsigned)(uintptr_t)found.nodes.at[start];
        bool is_loop = end - start > 1 || graph_has_edge(w->cfg, first, first);
        for (size_t k = start; k < end; k++) {
            w->component[(uintptr_t)found.nodes.at[k]] = is_loop ? (unsigned)i + 1 : 0;
        }
    }
}

static bool is_observation(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: /* nobody else writes private memory */
        return (LLVMGetVolatile(i) && !slots_base(LLVMGetOperand(i, 0))) ||
               LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    default:
        return false;
    }
}

static unsigned loop_of(const struct waiting *w, LLVMValueRef i) {
    return w->component[ptrmap_at(&w->index, LLVMGetInstructionParent(i), 0)];
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

LLVMValueRef waiting_loop(struct kernel *k) {
    struct waiting w = {0};
    w.cfg = cfg_of(k->run, &w.index, &w.blocks);
    find_loops(&w);
    for (unsigned n = 0; n < w.cfg->n; n++) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(w.blocks[n]);
        bool leaves = false;
        for (unsigned s = 0; w.component[n] && s < w.cfg->nsucc[n]; s++) {
            leaves |= w.component[w.cfg->succ[n][s]] != w.component[n];
        }
        struct ptrmap seen = {0};
        if (leaves && w.cfg->nsucc[n] > 1 && depends(&w, &seen, LLVMGetOperand(branch, 0), w.component[n])) {
            return branch;
        }
    }
    return NULL;
}
