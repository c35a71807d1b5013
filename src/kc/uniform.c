/* uniform.c: which values of k->run all work-items of a work-group compute alike.
 *
 * Needs `builtin`: sources of difference are __weir_local_id_N, private memory, atomics, volatile and written
 * memory. Gives struct uniform: values and terminators that may differ. Everything else has, at each barrier
 * that the group reaches, one value for the group. Valid until the function changes.
 *
 * The rules are those of divergence analysis on SSA (Karrenberg and Hack, "Improving Performance of OpenCL on
 * CPUs", 2012): data flow; sync dependence, PHIs that join paths of a branch on which work-items part; temporal
 * divergence, values of a loop that work-items leave in different iterations. Both control rules are taken
 * generously: a branch influences all blocks up to its immediate post-dominator.
 * A load through a uniform address is uniform unless, since the last barrier, memory of its address space may
 * have been written: a program without races can then only read what all agree on (memory model, 3.3.4). */
#include "kc.h"
#include <string.h>

enum { DIRTY_LOCAL = 1, DIRTY_GLOBAL = 2, DIRTY_ALL = 3 };

struct analysis {
    struct kernel *k;
    struct uniform *out;
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    unsigned *ipdom;
    unsigned char *dirty_in; /* by block: what may have been written since the last barrier */
    bool changed;
};

bool uniform_is(const struct uniform *u, LLVMValueRef v) {
    uintptr_t ignored;
    return !ptrmap_get(&u->varying, v, &ignored);
}

static void mark(struct analysis *a, LLVMValueRef v) {
    if (uniform_is(a->out, v)) {
        ptrmap_set(&a->out->varying, v, 1);
        a->changed = true;
    }
}

static bool has_no_memory_effect(LLVMValueRef call) {
    LLVMValueRef f = ir_callee(call);
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory =
        f ? LLVMGetEnumAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, kind) : NULL;
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static unsigned dirt_of_pointer(LLVMValueRef p) {
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(p))) {
    case AS_GLOBAL:
        return DIRTY_GLOBAL;
    case AS_LOCAL:
        return DIRTY_LOCAL;
    case AS_CONSTANT:
        return 0;
    default:
        return slots_base(p) ? 0 : DIRTY_ALL;
    }
}

static unsigned dirt_of(LLVMValueRef i, unsigned before) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        return before | dirt_of_pointer(LLVMGetOperand(i, 1));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return before | dirt_of_pointer(LLVMGetOperand(i, 0));
    case LLVMCall:
        if (ir_is_call_to(i, "__weir_barrier")) {
            return 0;
        }
        if (ir_is_intrinsic(i, "llvm.mem")) {
            return before | dirt_of_pointer(LLVMGetOperand(i, 0));
        }
        return has_no_memory_effect(i) || ir_is_intrinsic(i, "llvm.lifetime.") ? before : DIRTY_ALL;
    case LLVMFence:
        return DIRTY_ALL; /* what others wrote may become visible here */
    default:
        return before;
    }
}

static void find_dirt(struct analysis *a) {
    a->dirty_in = job_alloc(a->cfg->n);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned n = 0; n < a->cfg->n; n++) {
            unsigned dirt = a->dirty_in[n];
            for (LLVMValueRef i = LLVMGetFirstInstruction(a->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
                dirt = dirt_of(i, dirt);
            }
            for (unsigned s = 0; s < a->cfg->nsucc[n]; s++) {
                unsigned to = a->cfg->succ[n][s], merged = a->dirty_in[to] | dirt;
                changed |= merged != a->dirty_in[to];
                a->dirty_in[to] = (unsigned char)merged;
            }
        }
    }
}

static bool any_operand_varies(struct analysis *a, LLVMValueRef i) {
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        if (!uniform_is(a->out, LLVMGetOperand(i, (unsigned)n))) {
            return true;
        }
    }
    return false;
}

static bool load_varies(struct analysis *a, LLVMValueRef load, unsigned dirt) {
    LLVMValueRef p = LLVMGetOperand(load, 0);
    if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic ||
        !uniform_is(a->out, p)) {
        return true;
    }
    if (LLVMGetMetadata(load, LLVMGetMDKindIDInContext(a->k->llvm, "invariant.load", 14))) {
        return false;
    }
    return slots_base(p) || (dirt_of_pointer(p) & dirt);
}

static bool varies(struct analysis *a, LLVMValueRef i, unsigned dirt) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    case LLVMLoad:
        return load_varies(a, i, dirt);
    case LLVMCall:
        return ir_is_intrinsic(i, "__weir_local_id_") || !has_no_memory_effect(i) || any_operand_varies(a, i);
    default:
        return any_operand_varies(a, i);
    }
}

static void mark_phis(struct analysis *a, unsigned node) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(a->blocks[node]); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        mark(a, i);
    }
}

static bool used_outside(struct analysis *a, LLVMValueRef v, const unsigned char *inside) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(LLVMGetUser(u));
        if (!inside[ptrmap_at(&a->index, block, 0)]) {
            return true;
        }
    }
    return false;
}

/* Work-items part at the end of block `x` and meet again at its immediate post-dominator. */
static void influence(struct analysis *a, unsigned x) {
    unsigned meet = a->ipdom[x], n = a->cfg->n, count = 0;
    unsigned char *inside = job_alloc(n + 1);
    unsigned *work = job_alloc((n + 1) * sizeof *work);
    for (unsigned s = 0; s < a->cfg->nsucc[x]; s++) {
        unsigned to = a->cfg->succ[x][s];
        if (to != meet && !inside[to]) {
            inside[to] = 1;
            work[count++] = to;
        }
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned v = work[i];
        for (unsigned s = 0; s < a->cfg->nsucc[v]; s++) {
            unsigned to = a->cfg->succ[v][s];
            if (to != meet && !inside[to]) {
                inside[to] = 1;
                work[count++] = to;
            }
        }
    }
    for (unsigned i = 0; i < count; i++) {
        mark_phis(a, work[i]);
    }
    if (meet < n) {
        mark_phis(a, meet);
    }
    if (!inside[x]) {
        return;
    }
    for (unsigned i = 0; i < count; i++) { /* a loop that work-items leave at different times */
        LLVMValueRef v = LLVMGetFirstInstruction(a->blocks[work[i]]);
        for (; v; v = LLVMGetNextInstruction(v)) {
            if (uniform_is(a->out, v) && used_outside(a, v, inside)) {
                mark(a, v);
            }
        }
    }
}

static void visit_block(struct analysis *a, unsigned node) {
    unsigned dirt = a->dirty_in[node];
    for (LLVMValueRef i = LLVMGetFirstInstruction(a->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
        if (uniform_is(a->out, i)) {
            bool is_branch = LLVMIsATerminatorInst(i) && LLVMGetNumSuccessors(i) > 1;
            if (is_branch ? !uniform_is(a->out, LLVMGetOperand(i, 0)) : varies(a, i, dirt)) {
                mark(a, i);
                if (is_branch) {
                    influence(a, node);
                }
            }
        }
        dirt = dirt_of(i, dirt);
    }
}

void uniform_run(struct kernel *k, struct uniform *out) {
    struct analysis a = {.k = k, .out = out, .changed = true};
    a.cfg = cfg_of(k->run, &a.index, &a.blocks);
    a.ipdom = graph_ipdom(a.cfg);
    find_dirt(&a);
    while (a.changed) {
        a.changed = false;
        for (unsigned n = 0; n < a.cfg->n; n++) {
            visit_block(&a, n);
        }
    }
}
