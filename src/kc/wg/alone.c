/* alone.c: regions of a kernel of packs whose work-items run one by one.
 *
 * Where work-items beyond a bound have nothing to do (loop_bounds.c), as in a step of a tree of sums, packs that run have
 * lanes off; and if what the others access lies apart, a pack takes about as long as its lanes would one after the other.
 * alone_estimate needs regions as cost.c does, alone_choose their slots and bounds; gives region.alone. The proof: between
 * two barriers work-items run in any order, so a region may run in any form that runs all of them. What it reads and writes
 * of the context lies as packs have it, so such a region has none of that but what the work-group shares, which lies in
 * variables of its own.
 *     if (l < d) s[step * (2 * l + 2) - 1] += s[step * (2 * l + 1) - 1];       d = 16, 8, 4, 2, 1: 31 work-items, or 5 packs
 * What it can't do: regions with loops in them, of which no number of rounds is known. */
#include "report.h"
#include "wg.h"

void alone_estimate(struct wg *wg) {
    const struct kernel *k = wg->k;
    bool may = wg->pack && k->optimize && !k->checked && !wg->any_guard && !wg->nyields && cost_is_known(wg);
    uint32_t widths[] = {1, k->width};
    for (unsigned n = 0; may && n < 2; n++) {
        double *cycles = job_alloc(wg->nregions * sizeof *cycles);
        cost_of_regions(wg, widths[n], cycles);
        for (unsigned r = 0; r < wg->nregions; r++) {
            wg->regions[r].cycles[n] = cycles[r];
        }
    }
}

/* Whether the instruction is about a pack, or of what work-items keep in the context or in arrays. */
static bool needs_pack(const struct wg *wg, LLVMValueRef i) {
    const struct slot *slot = slots_of_access(&wg->slots, i);
    bool is_apart = slot && !slot->is_array && (!slot->crosses || slot->uniform);
    bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
    LLVMValueRef p = is_access ? ir_address(i) : NULL;
    bool is_private = p && LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == AS_PRIVATE;
    return subgroup_is_op(i) || (is_private && !is_apart) || (LLVMIsACallInst(i) && !ir_has_no_effect(i));
}

void alone_choose(struct wg *wg, struct region *r) {
    const double ODDS = 0.65; /* it is an estimate */
    double filled = loop_bounds_filled(wg, r);
    if (!r->cycles[0] || !r->bounds[0].n || r->cycles[0] > r->cycles[1] / filled * ODDS) {
        return;
    }
    for (size_t n = 0; n < r->blocks.n; n++) {
        LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[(uintptr_t)r->blocks.at[n]]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (needs_pack(wg, i)) {
                return;
            }
        }
    }
    r->alone = true;
    if (r->barrier) {
        report_note(wg->k, r->barrier, "region", "one work-item after the other: few have anything to do");
    }
}
