/* rolled_loops.c: loops that wait anyway aren't unrolled for an unknown number of turns.
 *
 * In: k->run before LLVM's optimization. Out: the same, where some loops tell LLVM not to make several copies of them; those
 * whose number of turns is known may still become code without a loop.
 *
 * Loops in which there is an atomic: that takes longer than what a loop does around it, and keeps the copies apart; the copies
 * take as long to compile as all else. And short loops of one work-item whose next round waits for a sum of floats, which no copy
 * makes shorter, as of a row of a sparse matrix. Such rows have a few turns each: what is left of them after the copies is a
 * second loop, whose end the processor guesses wrong as often as the first one's. */
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

/* ---- sums ---- */

/* Cycles from the PHI of a round to the value, by sums and products of floats in the block alone; less than 0: it doesn't
 * depend on it, or by other ways. */
static int cycles_from(LLVMValueRef phi, LLVMValueRef v, unsigned depth) {
    enum { SUM = 3, PRODUCT = 3, BOTH = 4, NEVER = -100 };
    if (v == phi || !depth || !LLVMIsAInstruction(v) || LLVMIsAPHINode(v) ||
        LLVMGetInstructionParent(v) != LLVMGetInstructionParent(phi)) {
        return v == phi ? 0 : NEVER;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool is_both =
        LLVMIsACallInst(v) && (ir_is_intrinsic(v, "llvm.fmuladd.") || ir_is_intrinsic(v, "llvm.fma."));
    bool adds = op == LLVMFAdd || op == LLVMFSub;
    if ((!is_both && !adds && op != LLVMFMul) || LLVMGetFastMathFlags(v) & LLVMFastMathAllowReassoc) {
        return NEVER;
    }
    int most = NEVER;
    for (unsigned n = 0; n < (is_both ? 3 : 2); n++) {
        int cycles = cycles_from(phi, LLVMGetOperand(v, n), depth - 1);
        most = cycles > most ? cycles : most;
    }
    return most < 0 ? NEVER : most + (is_both ? BOTH : adds ? SUM : PRODUCT);
}

/* Whether a round of the loop, one block, takes as long as what the next one waits for. */
static bool waits_for_sum(LLVMBasicBlockRef block) {
    enum { AT_ONCE = 4, DEPTH = 8 }; /* instructions in a cycle */
    int cycles = 0, length = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
        if (kind == LLVMVectorTypeKind) {
            return false;
        }
        if (LLVMIsAPHINode(i)) {
            int here = cycles_from(i, ir_incoming(i, block), DEPTH);
            cycles = here > cycles ? here : cycles;
        } else {
            length += !LLVMIsAGetElementPtrInst(i) && !LLVMIsACastInst(i) && !ir_is_marker(i);
        }
    }
    return cycles && length <= cycles * AT_ONCE;
}

static void keep_rolled(struct kernel *k, LLVMValueRef branch) {
    if (!ir_has_loop_property(k->llvm, branch, "llvm.loop.unroll.")) {
        ir_add_loop_property(k->llvm, branch,
                             ir_loop_property(k->llvm, "llvm.loop.unroll.runtime.disable", 0));
    }
}

void rolled_loops_pass(struct kernel *k) {
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
    state[0] = OPEN;
    stack[n++] = 0;
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
        } else if (state[to] == OPEN &&
                   ((any && loop_has_atomic(g, atomic, to, b)) || (to == b && waits_for_sum(blocks[b])))) {
            keep_rolled(k, LLVMGetBasicBlockTerminator(blocks[b]));
        }
    }
}
