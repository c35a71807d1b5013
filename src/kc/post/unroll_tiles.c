/* unroll_tiles.c: loops over the packs of a small work-group, whose local memory then is accessed at constant places.
 *
 * In: k->run with loops over packs, its values in SSA form. Out: the same; where a local variable is a few vectors, and all
 * its accesses are at places that only loops' counters decide, these loops are unrolled and simplified. local_tiles.c then
 * makes values of the variable.
 *     for (x = 0; x < 64; x += 16) s[x..x+15] = v[x];                      s[0..15] = v[0]; s[16..31] = v[1]; ...
 *     for (x = 0; x < 64; x += 16) v[x] = s[x+1..x+16];                    v[0] = s[1..16]; v[1] = s[17..32]; ...
 * Loops whose counters don't decide, as one over rounds, stay. Of loops around those over packs the counters may decide,
 * too, as of which of two halves is read in this round, if they have a known number of rounds.
 * What it can't do: places that arguments or ids of the group decide; groups whose context is not a variable. */
#include "analysis.h"
#include "post.h"
#include "tile.h"
#include <limits.h>
#include <string.h>

struct loop {
    unsigned header;
    uint64_t rounds; /* 0: not known */
    bool decides;    /* its counter, or what else it carries, decides about a place */
};

struct unroll {
    struct kernel *k;
    struct graph *cfg;
    struct ptrmap index, headers; /* block -> node; header -> its loop + 1 */
    LLVMBasicBlockRef *blocks;
    bool *is_likely;   /* by node: some way leads there without an unlikely branch */
    struct list found; /* of struct graph_loop */
    struct loop *loops;
    struct ptrmap seen; /* what may decide about a place, and was looked at */
};

/* The block's instructions that remain when places are known: hardly any of those of numbers. */
static unsigned remaining(LLVMBasicBlockRef b) {
    unsigned n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        n += LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind || LLVMIsAStoreInst(i) ||
             LLVMIsALoadInst(i) || LLVMIsACallInst(i);
    }
    return n;
}

/* ---- which blocks run, and how often ---- */

/* Marks what is reached but by unlikely branches: packs whose elements lie in no row, say, of which nothing is left when
 * places are known. */
static void find_likely(struct unroll *u) {
    struct list reached = {0};
    u->is_likely = job_alloc(u->cfg->n + 1);
    list_add(&reached, NULL);
    u->is_likely[0] = true;
    for (size_t i = 0; i < reached.n; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(u->blocks[(uintptr_t)reached.at[i]]);
        unsigned expected = ir_expected(end);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            uintptr_t to = ptrmap_at(&u->index, LLVMGetSuccessor(end, s), 0);
            if (!u->is_likely[to] && (expected == UINT_MAX || s == expected)) {
                u->is_likely[to] = true;
                list_add(&reached, (void *)to);
            }
        }
    }
}

/* The constant that the PHI is when the loop begins, or NULL. */
static LLVMValueRef start_of(const struct unroll *u, const struct graph_loop *l, LLVMValueRef phi) {
    LLVMValueRef start = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        unsigned from = (unsigned)ptrmap_at(&u->index, LLVMGetIncomingBlock(phi, i), 0);
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (!graph_loop_has(l, from)) {
            bool is_same = LLVMIsAConstantInt(v) && (!start || start == v);
            start = is_same ? v : NULL;
            if (!is_same) {
                return NULL;
            }
        }
    }
    return start;
}

/* The constant that the value is compared with, or NULL. */
static LLVMValueRef bound_of(LLVMValueRef v) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef compare = LLVMGetUser(use);
        if (LLVMIsAICmpInst(compare) && LLVMIsAConstantInt(LLVMGetOperand(compare, 1))) {
            return LLVMGetOperand(compare, 1);
        }
    }
    return NULL;
}

/* How many rounds a counter seems to give the loop that begins here: LLVM knows for sure. 0: none. */
static uint64_t rounds_of(const struct unroll *u, const struct graph_loop *l) {
    for (LLVMValueRef phi = LLVMGetFirstInstruction(u->blocks[l->header]); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        bool is_number = LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMIntegerTypeKind;
        LLVMValueRef start = is_number ? start_of(u, l, phi) : NULL;
        for (LLVMUseRef use = start ? LLVMGetFirstUse(phi) : NULL; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef next = LLVMGetUser(use), step = ir_counts_by(next, phi);
            LLVMValueRef bound = step ? bound_of(next) : NULL;
            int64_t by = bound ? LLVMConstIntGetSExtValue(step) : 0;
            int64_t way = bound ? LLVMConstIntGetSExtValue(bound) - LLVMConstIntGetSExtValue(start) : 0;
            if (by && way / by > 0 && way / by < UINT16_MAX) {
                return (uint64_t)(way / by);
            }
        }
    }
    return 0;
}

static void find_loops(struct unroll *u) {
    u->found = graph_loops(u->cfg);
    u->loops = job_alloc((u->found.n + 1) * sizeof *u->loops);
    for (size_t i = 0; i < u->found.n; i++) {
        const struct graph_loop *l = u->found.at[i];
        u->loops[i] = (struct loop){.header = l->header, .rounds = rounds_of(u, l)};
        ptrmap_set(&u->headers, u->blocks[l->header], i + 1);
    }
}

/* ---- what decides about places ---- */

static bool is_computed(LLVMValueRef i) {
    return !LLVMIsALoadInst(i) && !LLVMIsAAllocaInst(i) && !LLVMIsAAtomicRMWInst(i) &&
           !LLVMIsAAtomicCmpXchgInst(i) &&
           (!LLVMIsACallInst(i) || (ir_is_intrinsic(i, "llvm.") && ir_has_no_effect(i)));
}

/* Whether constants and loops alone decide the value; their loops are marked. */
static bool is_counted(struct unroll *u, LLVMValueRef v) {
    if (LLVMIsAConstant(v) || ptrmap_at(&u->seen, v, 0)) {
        return true;
    }
    if (!LLVMIsAInstruction(v) || !is_computed(v)) {
        return false;
    }
    ptrmap_set(&u->seen, v, 1);
    bool is_phi = LLVMIsAPHINode(v), is = true;
    uintptr_t loop = is_phi ? ptrmap_at(&u->headers, LLVMGetInstructionParent(v), 0) : 0;
    if (loop) {
        u->loops[loop - 1].decides = true;
    }
    unsigned n = is_phi ? LLVMCountIncoming(v) : (unsigned)LLVMGetNumOperands(v) - !!LLVMIsACallInst(v);
    for (unsigned i = 0; i < n && is; i++) {
        is = is_counted(u, is_phi ? LLVMGetIncomingValue(v, i) : LLVMGetOperand(v, i));
    }
    return is;
}

/* The same for an address in the variable. */
static bool is_place(struct unroll *u, LLVMValueRef root, LLVMValueRef p) {
    for (; p != root; p = LLVMGetOperand(p, 0)) {
        for (int i = 1; i < LLVMGetNumOperands(p); i++) {
            if (!is_counted(u, LLVMGetOperand(p, (unsigned)i))) {
                return false;
            }
        }
    }
    return true;
}

/* How often each block runs by the loops whose rounds are known, or by those alone that are to be unrolled; by node. */
static uint64_t *find_times(const struct unroll *u, bool unrolled) {
    uint64_t *times = job_alloc((u->cfg->n + 1) * sizeof *times);
    for (unsigned n = 0; n < u->cfg->n; n++) {
        times[n] = 1;
    }
    for (size_t i = 0; i < u->found.n; i++) {
        const struct graph_loop *l = u->found.at[i];
        for (size_t n = 0; n < l->nodes.n && u->loops[i].rounds && (u->loops[i].decides || !unrolled); n++) {
            uint64_t *t = &times[(uintptr_t)l->nodes.at[n]];
            *t *= u->loops[i].rounds;
            *t = *t < UINT16_MAX ? *t : UINT16_MAX;
        }
    }
    return times;
}

/* Whether the variable is more than the registers hold, each of its vectors is read often, and work-items keep values of their
 * own over barriers, as sums of a product of tiles: what is read is read from memory again and again anyway, and the sums
 * would be, too. What is gained elsewhere, that what has just been stored needn't be read, is little then. */
static bool is_read_often(const struct unroll *u, const struct tile *t) {
    enum { OFTEN = 8 };
    const struct target *target = u->k->target;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(u->k->module);
    uint64_t reads = 0, stores = 0, *times = find_times(u, false);
    for (size_t i = 0; i < t->accesses.n; i++) {
        LLVMValueRef access = t->accesses.at[i];
        uintptr_t node = ptrmap_at(&u->index, LLVMGetInstructionParent(access), 0);
        uint64_t n = target_registers(target, LLVMSizeOfTypeInBits(layout, tile_type(access))) * times[node];
        *(tile_is_store(access) ? &stores : &reads) += u->is_likely[node] ? n : 0;
    }
    return u->k->context_per_item && stores > target->vector_registers && reads >= OFTEN * stores;
}

/* Whether all places in the variable are known when loops are unrolled, and most accesses are of rows. */
static bool is_small_tile(struct unroll *u, const struct tile *t) {
    size_t rows = 0, others = 0;
    for (size_t i = 0; i < t->accesses.n; i++) {
        LLVMValueRef access = t->accesses.at[i];
        if (!is_place(u, t->root, tile_address(access))) {
            return false;
        }
        bool is_row = LLVMGetTypeKind(tile_type(access)) == LLVMVectorTypeKind &&
                      LLVMGetTypeKind(LLVMTypeOf(tile_address(access))) == LLVMPointerTypeKind;
        bool is_likely = u->is_likely[ptrmap_at(&u->index, LLVMGetInstructionParent(access), 0)];
        rows += is_row && is_likely;
        others += !is_row && is_likely;
    }
    return rows && others * TILE_FEW <= rows;
}

/* ---- unrolling ---- */

static void ask(struct unroll *u, const struct graph_loop *l) {
    LLVMMetadataRef wish = ir_loop_property(u->k->llvm, "llvm.loop.unroll.full", 0);
    for (unsigned i = 0; i < u->cfg->npred[l->header]; i++) {
        unsigned from = u->cfg->pred[l->header][i];
        if (graph_loop_has(l, from)) {
            ir_add_loop_property(u->k->llvm, LLVMGetBasicBlockTerminator(u->blocks[from]), wish);
        }
    }
}

/* Instructions that there will be, or more than are wanted. */
static uint64_t length_of(struct unroll *u) {
    uint64_t total = 0, *times = find_times(u, true);
    for (unsigned n = 0; n < u->cfg->n; n++) {
        total += u->is_likely[n] ? times[n] * remaining(u->blocks[n]) : 0;
    }
    return total;
}

/* Whether the loop is around another one that is to be unrolled. */
static bool is_outer(const struct unroll *u, size_t loop) {
    for (size_t i = 0; i < u->found.n; i++) {
        if (i != loop && u->loops[i].decides && graph_loop_has(u->found.at[loop], u->loops[i].header)) {
            return true;
        }
    }
    return false;
}

/* Marks the loops that decide about places in the variable; false: they don't alone. */
static bool take(struct unroll *u, LLVMValueRef root) {
    struct tile t;
    size_t bytes = (u->found.n + 1) * sizeof *u->loops;
    struct loop *before = memcpy(job_alloc(bytes), u->loops, bytes);
    u->seen = (struct ptrmap){0};
    bool is = tile_find(root, &t) && is_small_tile(u, &t);
    for (size_t i = 0; i < u->found.n; i++) {
        is &= !u->loops[i].decides || u->loops[i].rounds;
    }
    is = is && !is_read_often(u, &t);
    if (!is) {
        memcpy(u->loops, before, bytes);
    }
    return is;
}

/* Finds the loops that decide about places in local variables, and in the context, of which LLVM makes values then. */
static bool look(struct unroll *u) {
    enum { LARGE = 4096 }; /* instructions */
    struct list roots = tile_roots(u->k);
    bool any = false;
    uint64_t now = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(u->k->run); b; b = LLVMGetNextBasicBlock(b)) {
        now += remaining(b);
    }
    if (!roots.n || now > LARGE) {
        return false;
    }
    *u = (struct unroll){.k = u->k};
    u->cfg = cfg_of(u->k->run, &u->index, &u->blocks);
    find_likely(u);
    find_loops(u);
    for (size_t i = 0; i < roots.n; i++) {
        any |= take(u, roots.at[i]);
    }
    LLVMValueRef i = any ? LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(u->k->run)) : NULL;
    for (; i && LLVMIsAAllocaInst(i); i = LLVMGetNextInstruction(i)) {
        take(u, i);
    }
    return any && length_of(u) <= LARGE;
}

static void run(struct kernel *k, const char *passes) {
    job_run_passes(k->job, k->module, passes, target_optimizer(k->job), "unroll-tiles");
}

/* Asks for the loops that decide about places, but those around others; whether there are such. */
static bool ask_innermost(struct unroll *u) {
    bool nest = false;
    for (size_t i = 0; i < u->found.n; i++) {
        bool is_later = u->loops[i].decides && is_outer(u, i);
        nest |= is_later;
        if (u->loops[i].decides && !is_later) {
            ask(u, u->found.at[i]);
        }
    }
    return nest;
}

void unroll_tiles_pass(struct kernel *k) {
    struct unroll u = {.k = k};
    if ((k->context_per_item && !k->context_is_small) || k->checked || !k->optimize || !look(&u)) {
        return;
    }
    bool any = false, nest = false;
    for (size_t i = 0; i < u.found.n; i++) {
        any |= u.loops[i].decides;
        nest |= u.loops[i].decides && is_outer(&u, i);
    }
    if (nest) { /* whether it goes on is asked before its loops over packs, so that LLVM can count rounds */
        run(k, "function(loop-mssa(licm,simple-loop-unswitch<nontrivial>),jump-threading)");
    }
    while (any && look(&u)) {
        any = ask_innermost(&u);
        run(k, "function(loop(loop-unroll-full),instcombine<no-verify-fixpoint>,early-cse,simplifycfg,adce)");
    }
}
