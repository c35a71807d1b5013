/* barrier_elimination.c: barriers that order nothing are left out.
 *
 * In: k->run with barriers as calls, before regions are cut. Out: the same without barriers that order nothing: no
 * access between the preceding barriers and it conflicts with an access between it and the following ones (maybe to the
 * same variable or buffer, at least one write). Removing a barrier joins the two sides, and the next one is looked at with
 * that. Barriers that order memory for other work-groups stay, and in kernels that may watch those all do. Only with
 * optimization. */
#include "analysis.h"
#include "lower.h"
#include "report.h"

/* What instructions do to memory that work-items share, by object. */
struct effects {
    uint32_t reads, writes;
};

struct search {
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    struct objects objects;
};

static void add_effect(struct search *s, LLVMValueRef i, struct effects *e) {
    bool writes = LLVMIsAStoreInst(i) != NULL;
    if (writes || LLVMIsALoadInst(i)) {
        LLVMValueRef p = LLVMGetOperand(i, writes ? 1 : 0), var = private_base(p);
        if (!kernel_is_invariant(i) && (!var || private_escapes(var))) {
            *(writes ? &e->writes : &e->reads) |= objects_at(&s->objects, p);
        }
    } else if (LLVMIsACallInst(i) && !kernel_is_cut(i) && !ir_is_marker(i) &&
               (subgroup_is_op(i) || !ir_has_no_effect(i))) {
        *e = (struct effects){OBJECTS_ALL, OBJECTS_ALL};
    }
}

/* Joins what is done from `i` on, in one direction, up to barriers or the block's end; whether the latter is reached. */
static bool walk(struct search *s, LLVMValueRef i, bool back, struct effects *effects) {
    for (; i; i = back ? LLVMGetPreviousInstruction(i) : LLVMGetNextInstruction(i)) {
        if (ir_is_call_to(i, "__weir_barrier") && !kernel_is_cut(i)) {
            return false;
        }
        add_effect(s, i, effects);
    }
    return true;
}

/* What is done on all ways from the barrier to others, or to the kernel's end or beginning. */
static struct effects effects_near(struct search *s, LLVMValueRef barrier, bool back) {
    struct list todo = {0};
    unsigned char *seen = job_alloc(s->cfg->n);
    struct effects effects = {0};
    LLVMBasicBlockRef block = LLVMGetInstructionParent(barrier);
    LLVMValueRef i = back ? LLVMGetPreviousInstruction(barrier) : LLVMGetNextInstruction(barrier);
    bool open = walk(s, i, back, &effects);
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
        open = walk(s, back ? LLVMGetLastInstruction(block) : LLVMGetFirstInstruction(block), back, &effects);
    }
}

static bool meet(struct effects x, struct effects y) {
    return (x.reads & y.writes) || (y.reads & x.writes) || (x.writes & y.writes);
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
