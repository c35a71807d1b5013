/* row_count.c: whether packs may be of several rows of the work-group (rows.c), and how many where a width is asked for.
 *
 * Where a row is shorter than a vector one instruction then serves all rows, where each would have its own; but what a row
 * reads or writes is put together and taken apart again. Whether that pays, width.c decides by cost.c.
 *     8 x 8, vectors of 16:    4 packs of 2 rows, not 8 of half a vector
 * What it can't do: rows whose length is no power of two; groups in which work-items may wait for each other, or that
 * disagree about a barrier; the order of sub-groups and collectives is that of rows. */
#include "report.h"
#include "wg.h"

bool row_count_may_rise(const struct wg *wg) {
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            if (subgroup_is_op(i) || checks_is(i) || yield_is(i)) {
                return false;
            }
        }
    }
    return !wg->any_guard && !wg->nyields && !wg->k->checked && !wg->k->meta->uses_subgroups;
}

void row_count_raise(struct wg *wg) {
    enum { LARGE = 30000 }; /* instructions: a second or two */
    struct kernel *k = wg->k;
    uint32_t asked = k->job->request->width & REQUEST_WIDTH, lanes = k->width, rows = 1;
    if (lanes < 2 || lanes != k->local_size[0] || !row_count_may_rise(wg)) {
        return;
    }
    while (rows * 2 * lanes <= asked && k->local_size[1] % (rows * 2) == 0) {
        rows *= 2;
    }
    if (rows > 1) {
        k->rows = rows;
        k->width = lanes * rows;
        report_width(k, NULL, "%u rows of %u work-items", rows, lanes);
        wg_know_packs(wg);
        if (code_size(wg) > LARGE) {
            k->rows = 1;
            k->width = lanes;
            report_width(k, NULL, "several rows take too many instructions");
            wg_know_packs(wg);
        }
    }
}
