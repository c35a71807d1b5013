/* width.c: how many work-items a pack has.
 *
 * First as many as a vector register holds of 32-bit values. It becomes less where the code would grow too large or
 * work-items wait for each other, and more where that pays: a small work-group is one pack, and two vectors per value,
 * that is two packs in step (unroll-and-jam), hide each other's latencies. Kernels that use sub-groups keep the width
 * that the host was told. */
#include "regions.h"

static void report_choice(struct kernel *k, uint32_t asked) {
    bool large = k->job->request->width & REQUEST_LARGE_IDS;
    if (k->meta->subgroup_size) {
        report_width(k, NULL, "the kernel requires this sub-group size");
    } else if (large && !k->meta->uses_subgroups) {
        report_width(k, NULL, "global ids may be 2^31 and more");
    } else if (asked) {
        report_width(k, NULL, "as asked (%u)", asked);
    } else {
        report_width(k, NULL, "as many 32-bit values as a vector register of %u bits holds", k->vector_bits);
    }
}

/* Work-items per pack: as asked, else what fills a vector register with 32-bit values; less for a known row that is
 * shorter. */
void width_choose(struct kernel *k) {
    enum { WIDEST = 64 };
    uint32_t asked = k->job->request->width & ~(uint32_t)REQUEST_LARGE_IDS, row = k->local_size[0];
    k->width = asked ? asked : k->vector_bits / 32;
    while (k->width > WIDEST || (k->width & (k->width - 1))) { /* powers of two */
        k->width = k->width > WIDEST ? WIDEST : k->width & (k->width - 1);
    }
    if (k->meta->uses_subgroups) { /* never another one: the host asks for it */
        k->width = meta_subgroup_size(k->meta, asked, 0);
    }
    report_choice(k, asked);
    uint32_t before = k->width;
    if (k->meta->uses_subgroups) {
        k->width = meta_subgroup_size(k->meta, asked, row);
    }
    while (!k->meta->uses_subgroups && k->width > 1 && row && row < k->width) {
        k->width /= 2;
    }
    if (k->width < before) {
        report_width(k, NULL, "the first dimension of the work-group is %u", row);
    }
}

enum { RECURSION = 1 << 30 };

/* Instructions of a function with all it calls inlined; `sizes` remembers, and holds RECURSION meanwhile. */
static uint64_t inlined_size(struct ptrmap *sizes, LLVMValueRef f) {
    uintptr_t known;
    if (ptrmap_get(sizes, f, &known)) {
        return known;
    }
    ptrmap_set(sizes, f, RECURSION);
    uint64_t size = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;
            size += callee && !LLVMIsDeclaration(callee) ? inlined_size(sizes, callee) : 1;
            size = size < RECURSION ? size : RECURSION;
        }
    }
    ptrmap_set(sizes, f, size);
    return size;
}

/* Packs inline everything, and their code grows with the width: past a limit the width yields. */
void width_limit(struct kernel *k) {
    enum { LARGE = 160000 }; /* instructions times lanes */
    struct ptrmap sizes = {0};
    bool may_yield = k->width > 1 && !k->meta->uses_subgroups;
    uint64_t size = may_yield ? inlined_size(&sizes, k->run) : 0;
    uint32_t before = k->width;
    while (k->width > 1 && size * k->width > LARGE) {
        k->width = k->job->request->width ? k->width / 2 : 1;
    }
    if (k->width < before) {
        report_width(k, NULL, "%llu instructions are too many for %u lanes", (unsigned long long)size,
                     before);
    }
}

bool width_settle(struct kernel *k) {
    bool is_free = k->width > 1 && !k->meta->uses_subgroups; /* those run in step */
    LLVMValueRef waiting = is_free ? waiting_loop(k) : NULL;
    if (waiting) {
        k->width = 1;
        report_width(k, waiting, "work-items may wait for each other in the loop");
    }
    return is_free && !waiting;
}

static unsigned length(LLVMBasicBlockRef block) {
    unsigned n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        n++;
    }
    return n;
}

static uint32_t length_of_all(const struct cut *c) {
    uint32_t total = 0;
    for (unsigned n = 0; n < c->cfg->n; n++) {
        total += length(c->blocks[n]);
    }
    return total;
}

/* Regions overlap, and guarded ones have two forms: in large kernels those of wide packs take long to compile, mostly
 * LLVM's to find registers. */
static void limit_forms(struct cut *c) {
    enum { LARGE = 16000 }; /* instructions times lanes: some seconds */
    unsigned total = 0;
    for (unsigned r = 0; c->any_guard && r < c->nregions; r++) {
        const struct region *region = &c->regions[r];
        for (size_t n = 0; n < region->blocks.n; n++) {
            total += length(c->blocks[(uintptr_t)region->blocks.at[n]]) * (region->guarded ? 2 : 1);
        }
    }
    uint32_t before = c->k->width;
    while (c->k->width > 1 && total * c->k->width > LARGE) {
        c->k->width /= 2;
    }
    if (c->k->width < before) {
        report_width(c->k, NULL,
                     "%u instructions behind barriers where work-items may part are too many for %u lanes",
                     total, before);
    }
}

/* A small work-group as one pack: all that its work-items exchange may stay in registers, and no context is needed.
 * Worth it where lanes never part. */
static void widen_to_group(struct cut *c) {
    enum { SMALL = 4096, WIDEST = 64 }; /* instructions times lanes: few values live at a time */
    struct kernel *k = c->k;
    uint32_t row = k->local_size[0];
    bool is_row = k->local_size[1] == 1 && k->local_size[2] == 1 && !(row & (row - 1));
    if (c->nregions == 1 || !is_row || row <= k->width || row > WIDEST || k->job->request->width) {
        return;
    }
    for (unsigned n = 0; n < c->cfg->n; n++) {
        if (!uniform_is(&c->uniform, LLVMGetBasicBlockTerminator(c->blocks[n]))) {
            return;
        }
    }
    if (length_of_all(c) * row <= SMALL) {
        k->width = row;
        report_width(k, NULL, "the whole work-group, which is small, and its work-items take the same way");
    }
}

void width_of_regions(struct cut *c) {
    limit_forms(c);
    if (c->k->width > 1) {
        widen_to_group(c);
    }
}

/* ---- two vectors per value ---- */

/* How often a block runs, as a power of two: 8 rounds of each loop around it, but 2 of those that lanes leave at
 * different times: mostly they share out elements. */
static unsigned log_runs(const struct cut *c, unsigned node) {
    enum { LANES_STAY = 3, LANES_PART = 1, MOST = 32 };
    unsigned n = 0;
    for (unsigned s = c->whole->innermost[node]; s != UINT32_MAX; s = c->whole->spans[s].parent) {
        n += c->masked[c->whole->order[0][c->whole->spans[s].first]] ? LANES_PART : LANES_STAY;
    }
    return n < MOST ? n : MOST;
}

/* Whether the value is a global id of the first dimension, perhaps plus what the work-group shares. */
static bool is_global_id(const struct cut *c, LLVMValueRef v) {
    if (!LLVMIsAInstruction(v)) {
        return false;
    }
    LLVMValueRef x = LLVMGetNumOperands(v) > 0 ? LLVMGetOperand(v, 0) : NULL;
    unsigned dim;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMCall:
        return builtin_id(v, &dim) == ID_GLOBAL && dim == 0;
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return is_global_id(c, x);
    case LLVMAdd:
    case LLVMSub:
        return uniform_is(&c->uniform, LLVMGetOperand(v, 1)) && is_global_id(c, x);
    default:
        return false;
    }
}

/* Whether lanes part on the condition in one pack of a row of the NDRange, or a few: as at the edges of data. */
static bool is_edge(const struct cut *c, LLVMValueRef condition) {
    if (uniform_is(c->pack, condition)) {
        return true;
    }
    bool combines = LLVMIsASelectInst(condition) || LLVMIsABinaryOperator(condition);
    for (int i = 0; combines && i < LLVMGetNumOperands(condition); i++) {
        combines = is_edge(c, LLVMGetOperand(condition, (unsigned)i));
    }
    if (!LLVMIsAICmpInst(condition)) {
        return combines;
    }
    LLVMValueRef x = LLVMGetOperand(condition, 0), y = LLVMGetOperand(condition, 1);
    return (is_global_id(c, x) && uniform_is(&c->uniform, y)) ||
           (is_global_id(c, y) && uniform_is(&c->uniform, x));
}

/* Whether lanes part at edges alone, or most of the time goes to code that all of them run: the more lanes a pack has,
 * the seldomer it can skip what the others run. */
static bool lanes_stay_together(const struct cut *c) {
    enum { PART = 4 };
    uint64_t all = 0, masked = 0;
    bool only_edges = true;
    for (unsigned n = 0; n < c->cfg->n; n++) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(c->blocks[n]);
        uint64_t time = (uint64_t)length(c->blocks[n]) << log_runs(c, n);
        all += time;
        masked += c->masked[n] ? time : 0;
        only_edges &= uniform_is(c->pack, branch) ||
                      (LLVMIsABranchInst(branch) && is_edge(c, LLVMGetCondition(branch)));
    }
    return only_edges || masked * PART <= all;
}

/* Whether all values of two packs fit in the processor's registers, or nearly so: what doesn't fit costs an access each
 * time, which outside loops is little. */
static bool fits_registers(const struct cut *c) {
    unsigned registers = kernel_vector_registers(c->k), *pressure = pressure_find(c, 2 * c->k->width);
    for (unsigned n = 0; n < c->cfg->n; n++) {
        if (pressure[n] > (log_runs(c, n) ? registers : registers * 3 / 2)) {
            return false;
        }
    }
    return true;
}

/* Whether an access takes shuffles, or one instruction per lane in any case: nothing would be gained. */
static bool is_apart(const struct cut *c, LLVMValueRef i) {
    bool is_load = LLVMIsALoadInst(i);
    int64_t stride;
    if (!is_load && !LLVMIsAStoreInst(i)) {
        return false;
    }
    LLVMTypeRef type = LLVMTypeOf(is_load ? i : LLVMGetOperand(i, 0));
    if (!uniform_stride(c->pack, LLVMGetOperand(i, is_load ? 0 : 1), &stride) || !stride) {
        return false;
    }
    return stride != (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(c->k->module), type) ||
           LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

static bool has_accesses_apart(const struct cut *c) {
    for (unsigned n = 0; n < c->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            if (is_apart(c, i)) {
                return true;
            }
        }
    }
    return false;
}

bool width_jam(struct cut *c) {
    enum { LONG = 1024 }; /* instructions: those take long to compile */
    struct kernel *k = c->k;
    uint32_t row = k->local_size[0];
    if (c->any_guard || k->job->request->width || k->width != k->vector_bits / 32 || !row ||
        row % (2 * k->width)) {
        return false;
    }
    if (length_of_all(c) > LONG || has_accesses_apart(c) || !lanes_stay_together(c) || !fits_registers(c)) {
        return false;
    }
    k->width *= 2;
    report_width(k, NULL, "two vectors per value, which fit in %u registers", kernel_vector_registers(k));
    return true;
}
