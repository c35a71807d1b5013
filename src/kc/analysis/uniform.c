/* uniform.c: which values of k->run all work-items of a work-group, or of a pack, compute alike.
 *
 * Needs `queries`: sources of difference are __weir_local_id_N, private memory, atomics, volatile and written
 * memory. Gives struct uniform: values and terminators that may differ. Everything else has, at each barrier
 * that the group reaches, one value for the group. Valid until the function changes.
 *
 * The rules are those of divergence analysis on SSA (Karrenberg and Hack, "Improving Performance of OpenCL on CPUs",
 * 2012; Coutinho et al., "Divergence Analysis and Optimizations", 2011): data flow; sync dependence, PHIs that join
 * disjoint paths from a branch on which work-items part (as Rosemann, Moll and Hack define it in "An Abstract
 * Interpretation for SPMD Divergence on Reducible Control Flow Graphs", 2021; here loops may have several entries);
 * temporal divergence, values of a loop that work-items leave in different iterations. Strides are Sampaio et al.'s
 * affine values ("Divergence Analysis", 2013).
 * A load through a uniform address is uniform unless, since the last barrier, the variable or buffer that it reads
 * (objects.c) may have been written: a program without races can then only read what all agree on (memory model, 3.3.4).
 *
 * Of a pack of 8:
 *     %l = call i32 @__weir_local_id_32_0()       stride 1, exact
 *     %x = shl i32 %l, 29                         stride 2^29, may wrap around: not affine when it is extended
 *     %c = icmp slt i32 %x, %n                    varies
 *     br i1 %c, label %a, label %b                lanes part
 *   b:
 *     %p = phi i32 [ 1, %entry ], [ 2, %a ]       varies: joins the paths of %c
 * What it can't do: tell that lanes agree again (x ^ x, or min of an id and a bound that is below all of them), follow
 * values through memory but what is invariant, or know a condition's outcome; joins depend on all paths of the graph. */
#include "analysis.h"
#include <string.h>

struct analysis {
    struct kernel *k;
    struct uniform *out;
    struct graph *cfg, *taken; /* `taken`: without ways back that no work-item takes */
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    unsigned *ipdom;
    struct objects objects;
    uint32_t *dirty_in; /* by block: what may have been written since the last barrier */
    bool changed;
    /* Of `influence`, by block; it is called for each branch, so it leaves them as they were, */
    unsigned char *inside, *joined; /* all 0 */
    unsigned *label;                /* all UINT32_MAX */
    unsigned *work, *in;            /* or doesn't mind: `in` has stamps, each used once */
    unsigned stamps;
    unsigned char *around;  /* by block: it is in a loop; others are in none of any part of the graph */
    unsigned char *settled; /* by block: all that its loops can mark is marked */
    struct list *left; /* by block: values used in others that aren't in out->joins; NULL: not known yet */
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

static uint32_t dirt_of_pointer(struct analysis *a, LLVMValueRef p) {
    return private_base(p) ? 0 : objects_at(&a->objects, p);
}

static uint32_t dirt_of(struct analysis *a, LLVMValueRef i, uint32_t before) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        return before | dirt_of_pointer(a, LLVMGetOperand(i, 1));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return before | dirt_of_pointer(a, LLVMGetOperand(i, 0));
    case LLVMCall:
        if (ir_is_intrinsic(i, "__weir_barrier")) { /* halves are left only where an estimate is asked for */
            return kernel_is_cut(i) ? before : 0;
        }
        if (ir_is_intrinsic(i, "llvm.mem")) {
            return before | dirt_of_pointer(a, LLVMGetOperand(i, 0));
        }
        return ir_has_no_effect(i) || ir_is_intrinsic(i, "llvm.lifetime.") ||
                       subgroup_op_of(i) == SUBGROUP_STAY
                   ? before
                   : OBJECTS_ALL;
    case LLVMFence:
        return OBJECTS_ALL; /* what others wrote may become visible here */
    default:
        return before;
    }
}

static void find_dirt(struct analysis *a) {
    a->dirty_in = job_alloc(a->cfg->n * sizeof *a->dirty_in);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned n = 0; n < a->cfg->n; n++) {
            uint32_t dirt = a->dirty_in[n];
            for (LLVMValueRef i = LLVMGetFirstInstruction(a->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
                dirt = dirt_of(a, i, dirt);
            }
            for (unsigned s = 0; s < a->cfg->nsucc[n]; s++) {
                unsigned to = a->cfg->succ[n][s];
                changed |= (dirt & ~a->dirty_in[to]) != 0;
                a->dirty_in[to] |= dirt;
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

static bool load_varies(struct analysis *a, LLVMValueRef load, uint32_t dirt) {
    LLVMValueRef p = LLVMGetOperand(load, 0);
    bool is_volatile = a->out->of_pack ? kernel_is_volatile(load) : LLVMGetVolatile(load);
    if (is_volatile || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic || !uniform_is(a->out, p)) {
        return true;
    }
    if (kernel_is_invariant(load)) {
        return false;
    }
    return private_base(p) ||
           (!a->out->of_pack && (dirt_of_pointer(a, p) & dirt)); /* one load serves a pack */
}

/* Where packs lie in a row, only the first dimension's ids differ between their lanes; of several rows also the second's. */
static bool is_varying_id(const struct analysis *a, LLVMValueRef call) {
    unsigned dim;
    return intrinsic_id(call, &dim) && (!a->out->of_pack || dim == 0 || (dim == 1 && a->out->rows > 1));
}

static bool subgroup_varies(const struct uniform *u, LLVMValueRef call) {
    switch (subgroup_op_of(call)) {
    case SUBGROUP_BASE:
    case SUBGROUP_BALLOT:
    case SUBGROUP_REDUCE:
    case SUBGROUP_TOTAL:
        return !u->of_pack;
    case SUBGROUP_STAY:
        return false;
    case SUBGROUP_FIRST:
        return !u->of_pack && !uniform_is(u, LLVMGetOperand(call, 0));
    case SUBGROUP_SHUFFLE: {
        bool value = uniform_is(u, LLVMGetOperand(call, 0)), from = uniform_is(u, LLVMGetOperand(call, 1));
        return u->of_pack ? !value && !from : !value || !from;
    }
    default:
        return true;
    }
}

static bool varies(struct analysis *a, LLVMValueRef i, uint32_t dirt) {
    int64_t stride;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    case LLVMLoad:
        return load_varies(a, i, dirt);
    case LLVMCall:
        if (subgroup_is_op(i)) {
            return subgroup_varies(a->out, i);
        }
        return is_varying_id(a, i) || !ir_has_no_effect(i) || any_operand_varies(a, i);
    default:
        return any_operand_varies(a, i) &&
               !(a->out->of_pack && lane_alignment_stride(a->out, i, &stride) && !stride) &&
               !(LLVMIsAICmpInst(i) && group_alignment_decides(a->k, a->out, i));
    }
}

static void mark_phis(struct analysis *a, unsigned node) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(a->blocks[node]); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        ptrmap_set(&a->out->joins, i, 1);
        mark(a, i);
    }
}

/* Marks the blocks where paths from different successors of `x` meet: each block carries the last such meeting
 * point on the way to it, or the successor itself; two different ones meet anew. */
static void find_joins(struct analysis *a, unsigned x, const unsigned *inside_list, unsigned count) {
    unsigned n = a->cfg->n, meet = a->ipdom[x], *label = a->label;
    unsigned char *joined = a->joined;
    for (unsigned s = 0; s < a->taken->nsucc[x]; s++) {
        unsigned to = a->taken->succ[x][s];
        joined[to] |= label[to] != UINT32_MAX && to != meet;
        label[to] = to;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i <= count; i++) { /* and the block where all meet */
            unsigned v = i < count ? inside_list[i] : meet;
            if (v == n || joined[v]) {
                continue;
            }
            unsigned mine = label[v];
            for (unsigned p = 0; p < a->taken->npred[v]; p++) {
                unsigned from = a->taken->pred[v][p];
                unsigned theirs = a->inside[from] && from != x ? label[from] : UINT32_MAX;
                if (theirs == UINT32_MAX || theirs == mine) {
                    continue;
                }
                joined[v] = mine != UINT32_MAX;
                mine = joined[v] ? v : theirs;
                changed = true;
                if (joined[v]) {
                    break;
                }
            }
            label[v] = mine;
        }
    }
    for (unsigned i = 0; i <= count; i++) {
        unsigned v = i < count ? inside_list[i] : meet;
        if (v != n && joined[v]) {
            mark_phis(a, v);
        }
        label[v] = UINT32_MAX;
        joined[v] = 0;
    }
}

/* Whether a value is used in another block, out of the set `stamp` if one is given. */
static bool is_used_beyond(struct analysis *a, LLVMValueRef v, const unsigned *in, unsigned stamp) {
    LLVMBasicBlockRef home = LLVMGetInstructionParent(v);
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(LLVMGetUser(u));
        if (block != home && (!stamp || in[ptrmap_at(&a->index, block, 0)] != stamp)) {
            return true;
        }
    }
    return false;
}

/* A loop's values are looked at once for each branch in it at which work-items part. */
static void find_left(struct analysis *a) {
    a->left = job_alloc((a->cfg->n + 1) * sizeof *a->left);
    for (unsigned n = 0; n < a->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(a->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            if (is_used_beyond(a, i, NULL, 0)) {
                list_add(&a->left[n], i);
            }
        }
    }
}

static void mark_left_values(struct analysis *a, void **nodes, size_t n, const unsigned *in, unsigned stamp) {
    if (!a->left) {
        find_left(a);
    }
    for (size_t i = 0; i < n; i++) {
        struct list *left = &a->left[(uintptr_t)nodes[i]];
        size_t kept = 0;
        for (size_t k = 0; k < left->n; k++) {
            LLVMValueRef v = left->at[k];
            if (is_used_beyond(a, v, in, stamp)) {
                ptrmap_set(&a->out->joins, v, 1);
                mark(a, v);
            } else {
                left->at[kept++] = v;
            }
        }
        left->n = kept;
    }
}

/* Where a loop is entered: the first such node; *several: there are more. */
static unsigned entry_of(struct analysis *a, void **nodes, size_t n, const unsigned *in, unsigned stamp,
                         bool *several) {
    unsigned best = UINT32_MAX;
    *several = false;
    for (size_t i = 0; i < n; i++) {
        unsigned v = (unsigned)(uintptr_t)nodes[i], p = 0;
        while (p < a->cfg->npred[v] && in[a->cfg->pred[v][p]] == stamp) {
            p++;
        }
        if (p < a->cfg->npred[v]) {
            *several |= best != UINT32_MAX;
            best = v < best ? v : best;
        }
    }
    return best == UINT32_MAX ? (unsigned)(uintptr_t)nodes[0] : best;
}

/* Temporal divergence: each loop around `x` among the nodes may be left by work-items in different iterations,
 * and what it computes is not one value after it. In a loop with several entries they even run out of step. */
static void mark_loops(struct analysis *a, unsigned x, void **nodes, size_t n) {
    struct components found = {0};
    unsigned *in = a->in, stamp = ++a->stamps;
    for (size_t i = 0; i < n; i++) {
        in[(uintptr_t)nodes[i]] = stamp;
    }
    graph_components(a->cfg, in, stamp, nodes, n, &found);
    for (size_t i = found.starts.n, end = found.nodes.n; i-- > 0;) {
        size_t start = (size_t)found.starts.at[i], count = end - start;
        void **part = found.nodes.at + start;
        unsigned first = (unsigned)(uintptr_t)part[0], own = ++a->stamps;
        end = start;
        if (count == 1 && !graph_has_edge(a->cfg, first, first)) {
            continue;
        }
        for (size_t k = 0; k < count; k++) {
            in[(uintptr_t)part[k]] = own;
        }
        bool several, holds_x = in[x] == own;
        unsigned header = entry_of(a, part, count, in, own, &several);
        if (several || holds_x) {
            mark_left_values(a, part, count, in, several ? 0 : own);
            for (size_t k = 0; k < count; k++) {
                ptrmap_set(&a->out->parted, a->blocks[(uintptr_t)part[k]], 1);
                a->settled[(uintptr_t)part[k]] |= several;
            }
        }
        if (several) { /* loops in it have nothing that isn't marked now */
            continue;
        }
        struct list rest = {0};
        for (size_t k = 0; k < count; k++) {
            if ((uintptr_t)part[k] != header) {
                list_add(&rest, part[k]);
            }
        }
        in[header] = 0;
        mark_loops(a, x, rest.at, rest.n);
    }
}

/* Which blocks are in loops: for most branches none is influenced. */
static void find_around(struct analysis *a) {
    struct components found = {0};
    struct list all = {0};
    for (unsigned n = 0; n < a->cfg->n; n++) {
        list_add(&all, (void *)(uintptr_t)n);
    }
    graph_components(a->cfg, a->in, 0, all.at, all.n, &found);
    a->around = job_alloc(a->cfg->n + 1);
    for (size_t i = found.starts.n, end = found.nodes.n; i-- > 0;) {
        size_t start = (size_t)found.starts.at[i];
        unsigned first = (unsigned)(uintptr_t)found.nodes.at[start];
        bool is_loop = end - start > 1 || graph_has_edge(a->cfg, first, first);
        for (; end > start; end--) {
            a->around[(uintptr_t)found.nodes.at[end - 1]] = is_loop;
        }
    }
}

/* Work-items part at the end of block `x` and meet again at its immediate post-dominator. */
static void influence(struct analysis *a, unsigned x) {
    unsigned meet = a->ipdom[x], count = 0, *work = a->work;
    unsigned char *inside = a->inside;
    struct list nodes = {0};
    bool is_settled = true;
    for (unsigned i = 0; i <= count; i++) {
        unsigned v = i ? work[i - 1] : x;
        for (unsigned s = 0; s < a->cfg->nsucc[v]; s++) {
            unsigned to = a->cfg->succ[v][s];
            if (to != meet && !inside[to]) {
                inside[to] = 1;
                work[count++] = to;
                if (a->around[to]) {
                    list_add(&nodes, (void *)(uintptr_t)to);
                    is_settled &= a->settled[to];
                }
            }
        }
    }
    find_joins(a, x, work, count);
    for (unsigned i = 0; i < count; i++) {
        inside[work[i]] = 0;
    }
    if (!is_settled) {
        mark_loops(a, x, nodes.at, nodes.n);
    }
}

static void visit_block(struct analysis *a, unsigned node) {
    uint32_t dirt = a->dirty_in[node];
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
        dirt = dirt_of(a, i, dirt);
    }
}

/* ---- strides ---- */

#define NO_STRIDE INT64_MIN
enum { EXACT_UNSIGNED = 1, EXACT_SIGNED = 2 };

static int64_t stride_in(const struct uniform *u, LLVMValueRef v) {
    uintptr_t known;
    if (uniform_is(u, v)) {
        return 0;
    }
    return ptrmap_get(&u->strides, v, &known) ? (int64_t)known : NO_STRIDE;
}

bool uniform_stride(const struct uniform *u, LLVMValueRef v, int64_t *stride) {
    *stride = stride_in(u, v);
    return *stride != NO_STRIDE;
}

bool uniform_is_even(const struct uniform *u, LLVMValueRef v, int64_t *stride) {
    return uniform_stride(u, v, stride) || (u->row && ir_is_index(v) && uniform_stride(u->row, v, stride));
}

const int64_t *uniform_offsets(const struct uniform *u, LLVMValueRef v) {
    return (const int64_t *)ptrmap_at(&u->offsets, v, 0);
}

/* -1 - x, which LLVM writes as x ^ -1: `n - 1 - i` is that and a sum. */
static bool is_complement(LLVMValueRef v) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMXor &&
           LLVMIsAConstantInt(LLVMGetOperand(v, 1)) && LLVMIsNull(LLVMConstNot(LLVMGetOperand(v, 1)));
}

/* Whether widening `v` of 32 bits or less commutes with adding strides: no lane wraps where the value is defined.
 * `phi`: assumed, for induction. */
static bool is_exact(const struct uniform *u, LLVMValueRef v, bool is_signed, LLVMValueRef phi,
                     unsigned depth) {
    uintptr_t known;
    if (v == phi || uniform_is(u, v)) {
        return true;
    }
    if (!LLVMIsAInstruction(v) || !depth) {
        return false;
    }
    if (ptrmap_get(&u->exact, v, &known)) {
        return known & (is_signed ? EXACT_SIGNED : EXACT_UNSIGNED);
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return (is_signed ? LLVMGetNSW(v) : LLVMGetNUW(v)) &&
               is_exact(u, LLVMGetOperand(v, 0), is_signed, phi, depth - 1) &&
               is_exact(u, LLVMGetOperand(v, 1), is_signed, phi, depth - 1);
    case LLVMOr: /* disjoint: no carry, so no wrap */
        return LLVMGetIsDisjoint(v) ? is_exact(u, LLVMGetOperand(v, 0), is_signed, phi, depth - 1) &&
                                          is_exact(u, LLVMGetOperand(v, 1), is_signed, phi, depth - 1)
                                    : uniform_offsets(u, v) != NULL;
    case LLVMCall: /* an id: its range is known */
        return true;
    case LLVMSelect:
        return uniform_is(u, LLVMGetOperand(v, 0)) &&
               is_exact(u, LLVMGetOperand(v, 1), is_signed, phi, depth - 1) &&
               is_exact(u, LLVMGetOperand(v, 2), is_signed, phi, depth - 1);
    case LLVMZExt: /* affine only if what it extends is exact; of offsets lane 0, if it is off, is what it would be */
        return !uniform_offsets(u, v);
    case LLVMSExt:
        return is_signed && !uniform_offsets(u, v);
    case LLVMXor:
        if (is_complement(v)) {
            return is_exact(u, LLVMGetOperand(v, 0), is_signed, phi, depth - 1);
        }
        __attribute__((fallthrough));
    case LLVMAnd:
    case LLVMURem:
    case LLVMLShr:
    case LLVMAShr: /* aligned, so no lane passes a multiple of the range */
        return stride_in(u, v) != NO_STRIDE || uniform_offsets(u, v);
    case LLVMTrunc: /* of offsets the flags tell nothing of lane 0, which may be off */
        return !uniform_offsets(u, v) && (is_signed ? LLVMGetNSW(v) : LLVMGetNUW(v));
    case LLVMPHI:
        for (unsigned i = 0; !phi && i < LLVMCountIncoming(v); i++) {
            if (!is_exact(u, LLVMGetIncomingValue(v, i), is_signed, v, depth - 1)) {
                return false;
            }
        }
        return !phi;
    default:
        return false;
    }
}

bool uniform_is_exact(const struct uniform *u, LLVMValueRef v, bool is_signed) {
    return is_exact(u, v, is_signed, NULL, 8);
}

bool uniform_extends(const struct uniform *u, LLVMValueRef extension, bool *is_signed) {
    LLVMValueRef narrow = LLVMGetOperand(extension, 0);
    *is_signed = LLVMIsASExtInst(extension);
    if (!*is_signed && !uniform_is_exact(u, narrow, false)) {
        *is_signed = LLVMGetNNeg(extension);
        return *is_signed && uniform_is_exact(u, narrow, true);
    }
    return uniform_is_exact(u, narrow, *is_signed);
}

void uniform_learn(struct uniform *u, LLVMValueRef copy, LLVMValueRef v) {
    int64_t stride;
    if (u->row) {
        uniform_learn(u->row, copy, v);
    }
    if (uniform_is(u, v)) {
        return;
    }
    ptrmap_set(&u->varying, copy, 1);
    if (uniform_stride(u, v, &stride)) {
        unsigned exact = 0;
        exact |= uniform_is_exact(u, v, true) ? EXACT_SIGNED : 0;
        exact |= uniform_is_exact(u, v, false) ? EXACT_UNSIGNED : 0;
        ptrmap_set(&u->strides, copy, (uintptr_t)stride);
        ptrmap_set(&u->exact, copy, exact);
    } else if (uniform_offsets(u, v)) {
        ptrmap_set(&u->offsets, copy, (uintptr_t)uniform_offsets(u, v));
    }
}

static int64_t stride_of_gep(struct analysis *a, LLVMValueRef gep) {
    int64_t total = stride_in(a->out, LLVMGetOperand(gep, 0));
    struct gep_step steps[GEP_STEPS];
    unsigned n = ir_gep_steps(LLVMGetModuleDataLayout(a->k->module), gep, steps);
    for (unsigned i = 0; i < n && total != NO_STRIDE; i++) {
        LLVMValueRef index = steps[i].index;
        int64_t stride = index ? stride_in(a->out, index) : 0;
        bool narrow = index && LLVMGetIntTypeWidth(LLVMTypeOf(index)) < 64;
        if (stride == NO_STRIDE || (stride && narrow && !is_exact(a->out, index, true, NULL, 8))) {
            return NO_STRIDE;
        }
        total = (int64_t)((uint64_t)total + (uint64_t)stride * steps[i].bytes);
    }
    return n ? total : NO_STRIDE;
}

/* As of the type's arithmetic: strides wrap around, too. */
static int64_t stride_of_sum(int64_t x, int64_t y, bool subtracts) {
    if (x == NO_STRIDE || y == NO_STRIDE) {
        return NO_STRIDE;
    }
    return (int64_t)(subtracts ? (uint64_t)x - (uint64_t)y : (uint64_t)x + (uint64_t)y);
}

static int64_t stride_of_product(LLVMValueRef i, int64_t x, int64_t y) {
    LLVMValueRef factor = LLVMGetOperand(i, 1);
    if (y || !LLVMIsAConstantInt(factor)) {
        return NO_STRIDE;
    }
    int64_t n = LLVMConstIntGetSExtValue(factor);
    bool is_shift = LLVMGetInstructionOpcode(i) == LLVMShl;
    if (is_shift ? n > 30 || n < 0 : n > (1 << 30) || n < -(1 << 30)) {
        return NO_STRIDE;
    }
    return (int64_t)((uint64_t)x * (is_shift ? UINT64_C(1) << n : (uint64_t)n));
}

static int64_t stride_of_phi(struct analysis *a, LLVMValueRef phi, bool *open) {
    uintptr_t ignored;
    int64_t stride = NO_STRIDE;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (!uniform_is(a->out, v) && !ptrmap_get(&a->out->strides, v, &ignored)) {
            *open = true; /* not known yet: go by the others */
            continue;
        }
        int64_t s = stride_in(a->out, v);
        if (s == NO_STRIDE || (stride != NO_STRIDE && s != stride)) {
            *open = false; /* whatever the others turn out to be */
            return NO_STRIDE;
        }
        stride = s;
    }
    return stride;
}

static int64_t stride_of(struct analysis *a, LLVMValueRef i, bool *open) {
    int64_t x = LLVMGetNumOperands(i) > 0 ? stride_in(a->out, LLVMGetOperand(i, 0)) : 0;
    int64_t y = LLVMGetNumOperands(i) > 1 ? stride_in(a->out, LLVMGetOperand(i, 1)) : 0;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(a->k->module);
    int64_t stride;
    uintptr_t ignored;
    bool is_signed;
    if (ptrmap_get(&a->out->joins, i, &ignored)) {
        return NO_STRIDE;
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        return a->out->rows == 1 && (is_varying_id(a, i) || subgroup_is_lane_id(i)) ? 1 : NO_STRIDE;
    case LLVMAlloca: /* lane by lane one after the other */
        return (int64_t)private_size(layout, i);
    case LLVMAdd:
    case LLVMSub:
        return stride_of_sum(x, y, LLVMGetInstructionOpcode(i) == LLVMSub);
    case LLVMOr:
        return LLVMGetIsDisjoint(i) ? stride_of_sum(x, y, false) : NO_STRIDE;
    case LLVMMul:
    case LLVMShl:
        return x == NO_STRIDE || y == NO_STRIDE ? NO_STRIDE : stride_of_product(i, x, y);
    case LLVMTrunc:
        return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind &&
                       LLVMGetIntTypeWidth(LLVMTypeOf(i)) >= 32
                   ? x
                   : NO_STRIDE;
    case LLVMSExt:
    case LLVMZExt:
        return x != NO_STRIDE && uniform_extends(a->out, i, &is_signed) ? x : NO_STRIDE;
    case LLVMGetElementPtr:
        return stride_of_gep(a, i);
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
        return x;
    case LLVMIntToPtr: /* of fewer bits: lanes might wrap around before */
        return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 0))) >= 64 ? x : NO_STRIDE;
    case LLVMPHI:
        return stride_of_phi(a, i, open);
    case LLVMSelect: /* all lanes take the same one */
        return !x && y == stride_in(a->out, LLVMGetOperand(i, 2)) ? y : NO_STRIDE;
    case LLVMXor:
        if (x != NO_STRIDE && is_complement(i)) {
            return (int64_t)(0 - (uint64_t)x);
        }
        __attribute__((fallthrough));
    case LLVMAnd:
    case LLVMURem:
        return x != NO_STRIDE && y != NO_STRIDE && lane_alignment_stride(a->out, i, &stride) ? stride
                                                                                             : NO_STRIDE;
    default:
        return NO_STRIDE;
    }
}

static bool has_unknown_operand(struct analysis *a, LLVMValueRef i) {
    uintptr_t ignored;
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)n);
        if (LLVMIsAInstruction(v) && !uniform_is(a->out, v) && !ptrmap_get(&a->out->strides, v, &ignored)) {
            return true;
        }
    }
    return false;
}

/* Optimistic: a value not reached yet constrains no PHI. Values only fall, from unknown to a stride to none. */
static void find_strides(struct analysis *a) {
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned n = 0; n < a->cfg->n; n++) {
            LLVMValueRef i = LLVMGetFirstInstruction(a->blocks[n]);
            for (; i; i = LLVMGetNextInstruction(i)) {
                uintptr_t old;
                bool open = false, known = ptrmap_get(&a->out->strides, i, &old);
                if (uniform_is(a->out, i) || (known && (int64_t)old == NO_STRIDE)) {
                    continue;
                }
                if (!LLVMIsAPHINode(i) && has_unknown_operand(a, i)) {
                    continue;
                }
                int64_t stride = stride_of(a, i, &open);
                if (open && stride == NO_STRIDE) {
                    continue;
                }
                if (!known || (int64_t)old != stride) {
                    ptrmap_set(&a->out->strides, i, (uintptr_t)(known ? NO_STRIDE : stride));
                    changed = true;
                }
            }
        }
    }
}

/* ---- offsets ---- */

/* False: they aren't known. */
static bool add_offsets(struct analysis *a, LLVMValueRef v, uint64_t factor, int64_t *sum) {
    const int64_t *at = uniform_offsets(a->out, v);
    int64_t stride = 0;
    bool is_known = at || uniform_stride(a->out, v, &stride);
    for (unsigned i = 0; i < a->out->width && is_known; i++) {
        uint64_t lane = at ? (uint64_t)at[i] : (uint64_t)stride * i;
        sum[i] = (int64_t)((uint64_t)sum[i] + lane * factor);
    }
    return is_known;
}

static bool offsets_of_gep(struct analysis *a, LLVMValueRef gep, int64_t *at) {
    struct gep_step steps[GEP_STEPS];
    unsigned n = ir_gep_steps(LLVMGetModuleDataLayout(a->k->module), gep, steps);
    bool known = n && add_offsets(a, LLVMGetOperand(gep, 0), 1, at);
    for (unsigned i = 0; i < n && known; i++) {
        LLVMValueRef index = steps[i].index;
        bool narrow = index && LLVMGetIntTypeWidth(LLVMTypeOf(index)) < 64;
        known = !index || ((!narrow || uniform_is(a->out, index) || is_exact(a->out, index, true, NULL, 8)) &&
                           add_offsets(a, index, steps[i].bytes, at));
    }
    return known;
}

/* Whether lane 0 of the value can be computed from lane 0 of what it comes from. */
static bool is_of_lane_zero(struct analysis *a, LLVMValueRef i) {
    bool is_one = LLVMIsABinaryOperator(i) || LLVMIsAZExtInst(i) || LLVMIsASExtInst(i) ||
                  LLVMIsATruncInst(i) || LLVMIsAGetElementPtrInst(i);
    if (is_varying_id(a, i)) {
        return true;
    }
    for (int n = 0; n < LLVMGetNumOperands(i) && is_one; n++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)n);
        is_one = stride_in(a->out, v) != NO_STRIDE || uniform_offsets(a->out, v);
    }
    return is_one;
}

static void find_offsets(struct analysis *a) {
    int64_t *at = NULL;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned n = 0; n < a->cfg->n; n++) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(a->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
                uintptr_t ignored;
                if (stride_in(a->out, i) != NO_STRIDE || uniform_offsets(a->out, i) ||
                    !is_of_lane_zero(a, i) || ptrmap_get(&a->out->joins, i, &ignored)) {
                    continue;
                }
                at = at ? at : job_alloc(a->out->width * sizeof *at);
                memset(at, 0, a->out->width * sizeof *at);
                if (LLVMIsAGetElementPtrInst(i) ? offsets_of_gep(a, i, at)
                                                : lane_alignment_offsets(a->out, i, at)) {
                    ptrmap_set(&a->out->offsets, i, (uintptr_t)at);
                    at = NULL;
                    changed = true;
                }
            }
        }
    }
}

struct list uniform_loops(const struct kernel *k, const struct graph *cfg) {
    return k->width > 1 && k->meta->uses_subgroups ? graph_loops(cfg) : (struct list){0};
}

void uniform_run(struct kernel *k, struct uniform *out) {
    struct analysis a = {.k = k, .out = out, .changed = true};
    a.cfg = cfg_of(k->run, &a.index, &a.blocks);
    a.taken = cfg_taken(a.cfg, a.blocks);
    struct list loops = uniform_loops(k, a.cfg);
    a.ipdom = loops.n ? graph_meets(a.cfg, &loops) : graph_ipdom(a.cfg);
    size_t bytes = (a.cfg->n + 1) * sizeof(unsigned);
    a.inside = job_alloc(a.cfg->n + 1);
    a.joined = job_alloc(a.cfg->n + 1);
    a.work = job_alloc(bytes);
    a.label = memset(job_alloc(bytes), 0xff, bytes);
    a.in = job_alloc(bytes);
    a.settled = job_alloc(a.cfg->n + 1);
    find_around(&a);
    find_dirt(&a);
    while (a.changed) {
        a.changed = false;
        for (unsigned n = 0; n < a.cfg->n; n++) {
            visit_block(&a, n);
        }
    }
    if (out->of_pack) {
        find_strides(&a);
        find_offsets(&a);
    }
}
