/* atomic_loops.c: loops with atomics aren't unrolled for an unknown number of turns.
 *
 * In: k->run before LLVM's optimization. Out: the same, where loops in which there is an atomic tell LLVM not to make several
 * copies of them. An atomic takes longer than what a loop does around it, and keeps the copies apart; the copies take as long to
 * compile as all else. Loops whose number of turns is known may still become code without a loop. */
#include "post.h"

static bool has_atomic(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
        if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
            (is_access && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)) {
            return true;
        }
    }
    return false;
}

/* Whether a block with an atomic leads to `latch` without passing `header`: the loop's body, walked backwards. */
static bool loop_has_atomic(const struct graph *g, const bool *atomic, unsigned header, unsigned latch) {
    bool *seen = job_alloc(g->n * sizeof *seen);
    unsigned *stack = job_alloc(g->n * sizeof *stack), n = 0;
    seen[header] = seen[latch] = true;
    bool found = atomic[header];
    for (stack[n++] = latch; n && !found;) {
        unsigned b = stack[--n];
        found = atomic[b];
        for (unsigned p = 0; b != header && p < g->npred[b]; p++) {
            unsigned from = g->pred[b][p];
            if (!seen[from]) {
                seen[from] = true;
                stack[n++] = from;
            }
        }
    }
    return found;
}

static void keep_rolled(struct kernel *k, LLVMValueRef branch) {
    if (!ir_has_loop_property(k->llvm, branch, "llvm.loop.unroll.")) {
        ir_add_loop_property(k->llvm, branch,
                             ir_loop_property(k->llvm, "llvm.loop.unroll.runtime.disable", 0));
    }
}

void atomic_loops_pass(struct kernel *k) {
    enum { NEW, OPEN, DONE };
    struct ptrmap index = {0};
    LLVMBasicBlockRef *blocks;
    struct graph *g = cfg_of(k->run, &index, &blocks);
    bool *atomic = job_alloc(g->n * sizeof *atomic), any = false;
    for (unsigned b = 0; b < g->n; b++) {
        any |= atomic[b] = has_atomic(blocks[b]);
    }
    unsigned *stack = job_alloc(g->n * sizeof *stack), *next = job_alloc(g->n * sizeof *next), n = 0;
    char *state = job_alloc(g->n);
    if (any) {
        state[0] = OPEN;
        stack[n++] = 0;
    }
    while (n) { /* depth first; an edge to a block that is open closes a loop */
        unsigned b = stack[n - 1];
        if (next[b] == g->nsucc[b]) {
            state[b] = DONE;
            n--;
            continue;
        }
        unsigned to = g->succ[b][next[b]++];
        if (state[to] == NEW) {
            state[to] = OPEN;
            stack[n++] = to;
        } else if (state[to] == OPEN && loop_has_atomic(g, atomic, to, b)) {
            keep_rolled(k, LLVMGetBasicBlockTerminator(blocks[b]));
        }
    }
}
