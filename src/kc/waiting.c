/* waiting.c: loops in which work-items wait for each other.
 *
 * In: k->run before regions are formed. Out: whether some loop's exit depends on what atomics or volatile loads in it
 * return, as in a spin lock. Lanes of a pack run in step: one that holds what another waits for could never let go,
 * so such kernels run at width 1, where work-items take turns. */
#include "kc.h"
#include <string.h>

struct waiting {
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    unsigned *component; /* by block: its loop nest (strongly connected component), or 0 */
    unsigned *number, *low, *stack, depth, counter, components;
    unsigned char *on_stack;
};

static void connect(struct waiting *w, unsigned v) {
    w->number[v] = w->low[v] = ++w->counter;
    w->stack[w->depth++] = v;
    w->on_stack[v] = 1;
    for (unsigned s = 0; s < w->cfg->nsucc[v]; s++) {
        unsigned to = w->cfg->succ[v][s];
        if (!w->number[to]) {
            connect(w, to);
            w->low[v] = w->low[to] < w->low[v] ? w->low[to] : w->low[v];
        } else if (w->on_stack[to]) {
            w->low[v] = w->number[to] < w->low[v] ? w->number[to] : w->low[v];
        }
    }
    if (w->low[v] != w->number[v]) {
        return;
    }
    bool is_loop = w->stack[w->depth - 1] != v;
    for (unsigned s = 0; s < w->cfg->nsucc[v]; s++) {
        is_loop |= w->cfg->succ[v][s] == v;
    }
    w->components += is_loop;
    for (unsigned top = UINT32_MAX; top != v;) {
        top = w->stack[--w->depth];
        w->on_stack[top] = 0;
        w->component[top] = is_loop ? w->components : 0;
    }
}

static bool is_observation(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
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
        LLVMBasicBlockRef above = LLVMGetBasicBlockTerminator(from) ? from : NULL; /* an arm: what branched to it */
        unsigned node = above ? (unsigned)ptrmap_at(&w->index, above, 0) : 0;
        for (unsigned p = 0; above && p < w->cfg->npred[node]; p++) {
            LLVMBasicBlockRef pred = w->blocks[w->cfg->pred[node][p]];
            if (depends(w, seen, LLVMGetBasicBlockTerminator(pred), loop)) {
                return true;
            }
        }
    }
    return false;
}

bool waiting_loops(struct kernel *k) {
    struct waiting w = {0};
    w.cfg = cfg_of(k->run, &w.index, &w.blocks);
    size_t bytes = (w.cfg->n + 1) * sizeof(unsigned);
    w.component = job_alloc(bytes);
    w.number = job_alloc(bytes);
    w.low = job_alloc(bytes);
    w.stack = job_alloc(bytes);
    w.on_stack = job_alloc(w.cfg->n + 1);
    connect(&w, 0);
    for (unsigned n = 0; n < w.cfg->n; n++) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(w.blocks[n]);
        bool leaves = false;
        for (unsigned s = 0; w.component[n] && s < w.cfg->nsucc[n]; s++) {
            leaves |= w.component[w.cfg->succ[n][s]] != w.component[n];
        }
        struct ptrmap seen = {0};
        if (leaves && w.cfg->nsucc[n] > 1 && depends(&w, &seen, LLVMGetOperand(branch, 0), w.component[n])) {
            return true;
        }
    }
    return false;
}
