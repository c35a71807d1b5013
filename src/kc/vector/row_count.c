/* row_count.c: how many rows of the work-group a pack has (rows.c).
 *
 * Several where a row is shorter than a vector and that saves instructions. One instruction then serves all rows, where each
 * would have its own; but what a row reads or writes is put together and taken apart again, and what lies at one place for a row, as
 * t[ly][k], is no operand in memory any more. So a chain of sums and products of each work-item gains, and a blur, which
 * adds as many elements as it reads, doesn't. Code that only some rows run costs all of them as much as one.
 *     8 x 8, vectors of 16:    4 packs of 2 rows, not 8 of half a vector
 *     4 x 4, vectors of 16:    1 pack of 4 rows
 * What it can't do: rows whose length is no power of two; groups in which work-items may wait for each other, or that
 * disagree about a barrier; the order of sub-groups and collectives is that of rows. */
#include "report.h"
#include "wg.h"

/* Whether all that the kernel does may be done for several rows at once. *is_long: it computes with values of 64 bits, of which
 * a vector holds half as many. */
static bool may_have_rows(const struct wg *wg, bool *is_long) {
    *is_long = false;
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            *is_long |= LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMDoubleTypeKind && !uniform_is(wg->pack, i);
            if (subgroup_is_op(i) || checks_is(i) || yield_is(i)) {
                return false;
            }
        }
    }
    return !wg->any_guard && !wg->nyields && !wg->k->checked && !wg->k->meta->uses_subgroups;
}

bool row_count_raise(struct wg *wg) {
    struct kernel *k = wg->k;
    uint32_t asked = k->job->request->width & REQUEST_WIDTH, lanes = k->width, rows = 1;
    bool is_long;
    if (lanes < 2 || lanes != k->local_size[0] || !may_have_rows(wg, &is_long)) {
        return false;
    }
    uint32_t most = asked ? asked : target_lanes(k->target) / (is_long ? 2 : 1);
    while (rows * 2 * lanes <= most && k->local_size[1] % (rows * 2) == 0) {
        rows *= 2;
    }
    k->rows = rows;
    k->width = lanes * rows;
    if (rows > 1) {
        report_width(k, NULL, "%u rows of %u work-items", rows, lanes);
    }
    return rows > 1;
}

/* What several rows save, in instructions of one row: of an access less than nothing. Each part of an OpenCL vector is put
 * together by itself, unless all are one integer. */
static int64_t saved_by_access(const struct wg *wg, LLVMValueRef i) {
    LLVMValueRef at = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
    LLVMTypeRef type = LLVMTypeOf(LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i);
    int64_t stride, rows = wg->k->rows, parts = 1;
    if (uniform_is(wg->pack, at)) {
        return 0;
    }
    if (uniform_stride(wg->pack->row, at, &stride) && !stride && LLVMIsALoadInst(i)) {
        return -2 * rows;
    }
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
        LLVMABISizeOfType(LLVMGetModuleDataLayout(wg->k->module), type) > sizeof(uint64_t)) {
        parts = LLVMGetVectorSize(type);
    }
    return parts * (1 - rows);
}

static int64_t saved(const struct wg *wg, LLVMValueRef i) {
    enum { FUNCTION = 4 };
    int64_t stride, rows = wg->k->rows;
    bool is_scalar = uniform_is(wg->pack, i) || (ir_is_index(i) && uniform_stride(wg->pack->row, i, &stride));
    if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) {
        return saved_by_access(wg, i);
    }
    if (is_scalar || LLVMIsAPHINode(i) || LLVMIsATerminatorInst(i) || ir_is_marker(i)) {
        return 0;
    }
    bool is_costly =
        ir_is_division(i) || LLVMGetInstructionOpcode(i) == LLVMFDiv || ir_is_intrinsic(i, "llvm.sqrt.");
    return (rows - 1) * (is_costly ? FUNCTION : 1);
}

static int64_t saved_in(const struct wg *wg, unsigned node, int64_t *all) {
    int64_t total = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
        total += saved(wg, i);
        ++*all;
    }
    return total;
}

/* Whether there is a branch, not at the edges of data, at which whole rows part. */
static bool rows_part(const struct wg *wg) {
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(wg->blocks[n]);
        if (!uniform_is(wg->pack, end) && uniform_is(wg->pack->row, end) &&
            !(LLVMIsABranchInst(end) && width_is_edge(wg, LLVMGetCondition(end)))) {
            return true;
        }
    }
    return false;
}

/* Whether enough instructions are saved. What some rows alone may run saves nothing. */
static bool pays(const struct wg *wg) {
    enum { PART = 4 };
    int64_t total = 0, all = 0;
    bool part = rows_part(wg);
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        int64_t here = 0, less = saved_in(wg, n, &here);
        unsigned runs = width_log_runs(wg, n);
        less = part && wg->masked[n] && less > 0 ? 0 : less;
        total += less * (1 << runs);
        all += here * wg->k->rows * (1 << runs);
    }
    return total * PART > all;
}

bool row_count_lower(struct wg *wg) {
    enum { LARGE = 30000 }; /* instructions: a second or two */
    struct kernel *k = wg->k;
    bool is_asked = k->job->request->width & REQUEST_WIDTH, is_large = code_size(wg) > LARGE;
    if ((is_asked || pays(wg)) && !is_large) {
        return false;
    }
    k->width /= k->rows;
    k->rows = 1;
    report_width(k, NULL,
                 is_large ? "several rows take too many instructions" : "several rows would save too little");
    return true;
}
