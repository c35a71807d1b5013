/* barrier_elimination.c: barriers that order nothing are left out.
 *
 * In: k->run with barriers as calls, before regions are cut. Out: the same without barriers that order nothing: no
 * access between the preceding barriers and it conflicts with an access between it and the following ones (the same
 * address space, at least one write). Removing a barrier joins the two sides, and the next one is looked at with that. Barriers that order memory for other work-groups stay, and in kernels that may
 * watch those all do. Only with optimization. */
#include "analysis.h"
#include "lower.h"
#include "report.h"

/* What instructions do to memory that work-items share. */
enum { READS_GLOBAL = 1, READS_LOCAL = 2, WRITES_GLOBAL = 4, WRITES_LOCAL = 8, READS = 3, WRITES = 12 };

struct search {
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
};

static unsigned effect_of_access(LLVMValueRef i, bool writes) {
    LLVMValueRef p = LLVMGetOperand(i, writes ? 1 : 0), var = private_base(p);
    unsigned scale = writes ? WRITES_GLOBAL / READS_GLOBAL : 1;
    if (var && !private_escapes(var)) {
        return 0;
    }
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(p))) {
    case AS_CONSTANT:
        return 0;
    case AS_GLOBAL:
        return READS_GLOBAL * scale;
    case AS_LOCAL:
        return READS_LOCAL * scale;
    default:
        return READS * scale;
    }
}

static unsigned effect_of(LLVMValueRef i) {
    if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) {
        return kernel_is_invariant(i) ? 0 : effect_of_access(i, LLVMIsAStoreInst(i));
    }
    bool may = LLVMIsACallInst(i) && !kernel_is_cut(i) && !ir_is_marker(i) &&
               (subgroup_is_op(i) || !ir_has_no_effect(i));
    return may ? READS | WRITES : 0;
}

/* Joins what is done from `i` on, in one direction, up to barriers or the block's end; whether the latter is reached. */
static bool walk(LLVMValueRef i, bool back, unsigned *effects) {
    for (; i; i = back ? LLVMGetPreviousInstruction(i) : LLVMGetNextInstruction(i)) {
        if (ir_is_call_to(i, "__weir_barrier") && !kernel_is_cut(i)) {
            return false;
        }
        *effects |= effect_of(i);
    }
    return true;
}

/* What is done on all ways from the barrier to others, or to the kernel's end or beginning. */
static unsigned effects_near(struct search *s, LLVMValueRef barrier, bool back) {
    struct list todo = {0};
    unsigned char *seen = job_alloc(s->cfg->n);
    unsigned effects = 0;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(barrier);
    LLVMValueRef i = back ? LLVMGetPreviousInstruction(barrier) : LLVMGetNextInstruction(barrier);
    bool open = walk(i, back, &effects);
    unsigned node = (unsigned)ptrmap_at(&s->index, block, 0);
    for (size_t next = 0;; next++) {
        unsigned n = open ? back ? s->cfg->npred[node] : s->cfg->nsucc[node] : 0;
        for (unsigned k = 0; k < n; k++) {
            unsigned to = back ? s->cfg->pred[node][k] : s->cfg->succ[node][k];
            if (!seen[to]) {
                seen[to] = 1;
                list_add(&todo, (void *)(uintptr_t)to);
            }
        }
        if (next == todo.n) {
            return effects;
        }
        node = (unsigned)(uintptr_t)todo.at[next];
        block = s->blocks[node];
        open = walk(back ? LLVMGetLastInstruction(block) : LLVMGetFirstInstruction(block), back, &effects);
    }
}

static bool meet(unsigned x, unsigned y) {
    return (x & READS & y >> 2) || (y & READS & x >> 2) || (x & y & WRITES);
}

/* Whether it is for this work-group alone. */
static bool is_narrow(LLVMValueRef barrier) {
    LLVMValueRef scope = LLVMGetOperand(barrier, 1);
    return LLVMIsAConstantInt(scope) && LLVMConstIntGetZExtValue(scope) == 1;
}

void barrier_elimination_pass(struct kernel *k) {
    if (k->checked) {
        return; /* work-items are to meet there */
    }
    struct search s = {0};
    struct list barriers = {0};
    if (!k->optimize || spin_loops_observe(k)) {
        return;
    }
    s.cfg = cfg_of(k->run, &s.index, &s.blocks);
    for (unsigned n = 0; n < s.cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(s.blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            if (ir_is_call_to(i, "__weir_barrier") && is_narrow(i)) {
                list_add(&barriers, i);
            }
        }
    }
    for (size_t n = 0; n < barriers.n; n++) {
        if (!meet(effects_near(&s, barriers.at[n], true), effects_near(&s, barriers.at[n], false))) {
            report_note(k, barriers.at[n], "barrier",
                        "left out: no work-items meet in memory before and after it");
            LLVMInstructionEraseFromParent(barriers.at[n]);
        }
    }
}
