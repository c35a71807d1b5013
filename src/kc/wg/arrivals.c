/* arrivals.c: how work-items of a checked kernel say that they wait at a barrier.
 *
 * In: regions; before each barrier a call of __weir_check_arrived (lib/cl/check.cl): where the work-item may say so, the
 * interval, at what it waits (flags, scope and site), and a number for the iterations of the loops around it. Out: a store
 * of these, which check_meet compares with those of the others; or, where all work-items surely say the same, no store, and
 * the group says it once: region.alike. They do if
 *   - flags and scope are constants, and the iterations have one number for the group (uniform.c);
 *   - work-items neither part in a region that leads to the barrier, nor may have parted before, so that all come from
 *     one region by one exit: nobody may wait elsewhere.
 *
 *     call void @__weir_check_arrived(i64 %at, i64 %interval, i32 %what, i32 %rounds)
 *  becomes, if not
 *     store i64 (%rounds << 32 | %interval << 16 | %what), ptr %at */
#include "wg.h"

static bool is_arrival(LLVMValueRef i) {
    return ir_is_call_to(i, CHECK_ARRIVED);
}

/* The call that belongs to the barrier, if nothing but the barrier comes after it; or NULL. */
static LLVMValueRef arrival_of(const struct wg *wg, LLVMValueRef barrier) {
    unsigned node = (unsigned)ptrmap_at(&wg->index, LLVMGetInstructionParent(barrier), 0);
    LLVMValueRef i = barrier;
    for (;;) {
        while ((i = LLVMGetPreviousInstruction(i))) {
            if (is_arrival(i)) {
                return i;
            }
        }
        unsigned from = wg->cfg->npred[node] == 1 ? wg->cfg->pred[node][0] : node;
        if (from == node || wg->cfg->nsucc[from] != 1 || wg_region_after(wg, wg->blocks[from])) {
            return NULL;
        }
        node = from;
        i = LLVMGetBasicBlockTerminator(wg->blocks[node]);
    }
}

/* Whether all work-items come from one region, at one time. */
static bool come_together(const struct wg *wg, unsigned to) {
    bool together = !wg->regions[to].guarded;
    for (unsigned r = 0; together && r < wg->nregions; r++) {
        const struct region *from = &wg->regions[r];
        together = !from->is_exit[to] || !(from->guarded || from->parts || from->yields);
    }
    return together;
}

static void store_arrival(struct wg *wg, LLVMValueRef call) {
    LLVMContextRef c = wg->k->llvm;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c);
    LLVMBuilderRef b = ir_before(call);
    LLVMValueRef at =
        LLVMBuildIntToPtr(b, LLVMGetOperand(call, 0), LLVMPointerTypeInContext(c, AS_GLOBAL), "");
    LLVMValueRef value = LLVMBuildShl(b, LLVMGetOperand(call, 1), ir_const64(c, 16), "");
    LLVMValueRef rounds = LLVMBuildZExt(b, LLVMGetOperand(call, 3), i64, "");
    value = LLVMBuildOr(b, value, LLVMBuildZExt(b, LLVMGetOperand(call, 2), i64, ""), "");
    value = LLVMBuildOr(b, value, LLVMBuildShl(b, rounds, ir_const64(c, 32), ""), "arrival");
    LLVMSetAlignment(LLVMBuildStore(b, value, at), 8);
    LLVMDisposeBuilder(b);
}

void arrivals_settle(struct wg *wg) {
    struct list calls = {0};
    struct ptrmap alike = {0};
    for (unsigned r = 1; r < wg->nregions; r++) {
        LLVMValueRef call = come_together(wg, r) ? arrival_of(wg, wg->regions[r].barrier) : NULL;
        LLVMValueRef what = call ? LLVMGetOperand(call, 2) : NULL;
        if (what && LLVMIsAConstantInt(what) && uniform_is(&wg->uniform, LLVMGetOperand(call, 3))) {
            wg->regions[r].alike = what;
            ptrmap_set(&alike, call, 1);
        }
    }
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            if (is_arrival(i)) {
                list_add(&calls, i);
            }
        }
    }
    for (size_t i = 0; i < calls.n; i++) {
        if (!ptrmap_at(&alike, calls.at[i], 0)) {
            store_arrival(wg, calls.at[i]);
        }
        LLVMInstructionEraseFromParent(calls.at[i]);
    }
    if (calls.n) { /* what the analysis knows of instructions that are gone isn't to be taken for new ones */
        wg->uniform = (struct uniform){.of_pack = false};
        uniform_run(wg->k, &wg->uniform);
    }
}
