/* yield.c: where work-items of a work-group, or its sub-groups, wait for each other outside barriers.
 *
 * In: a kernel before its barriers are isolated, at width 1 or with sub-groups. Gives each pack independent progress: a loop
 * that may wait for another one (spin_loops.c) has calls of __weir_yield, alone in their blocks, on its way around. There the
 * pack is put aside as a whole: the context takes the values that live anywhere in the region, the masks of lanes that
 * wait at blocks of the island, and a state below wg.nyields, the place. A region that has such places runs in rounds,
 * until no pack waits at one any more; only then the group goes on to a barrier. A pack iterates
 * PATIENCE times before it is put aside, so that loops that rarely wait stay cheap. */
#include "report.h"
#include "wg.h"

enum { PATIENCE = 16 }; /* rounds of a loop before others run */

bool yield_is(LLVMValueRef i) {
    return ir_is_call_to(i, "__weir_yield");
}

static bool is_single_pack(const struct kernel *k) {
    return k->local_size[0] && k->local_size[0] <= k->width && k->local_size[1] * k->local_size[2] == 1;
}

static void call_before(struct kernel *k, LLVMValueRef i, const char *name, LLVMValueRef *args, unsigned n) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(k->llvm), types[] = {i32, i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(k->llvm), types, n, 0);
    LLVMValueRef f = LLVMGetNamedFunction(k->module, name);
    LLVMBuilderRef b = ir_before(i);
    LLVMBuildCall2(b, type, f ? f : LLVMAddFunction(k->module, name, type), args, n, "");
    LLVMDisposeBuilder(b);
}

/* Totals of a work-group join values in the order of sub-groups, which is lost where some were put aside before. */
static void order_totals(struct kernel *k) {
    enum { WORK_GROUP = 1 }; /* the scope */
    LLVMTypeRef i32 = LLVMInt32TypeInContext(k->llvm);
    LLVMValueRef args[] = {LLVMConstInt(i32, WEIR_FENCE_LOCAL, 0), LLVMConstInt(i32, WORK_GROUP, 0)};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (ir_is_intrinsic(i, "__weir_sub_total_")) {
                call_before(k, i, "__weir_barrier", args, 2);
            }
        }
    }
}

void yield_insert(struct kernel *k) {
    bool subgroups = k->meta->uses_subgroups, takes_turns = subgroups ? k->progress : k->width == 1;
    struct list places = {0};
    if (takes_turns && !is_single_pack(k)) {
        places = spin_loops_places(k);
    }
    for (size_t n = 0; n < places.n; n += 2) {
        report_note(k, places.at[n + 1], "loop",
                    subgroups ? "sub-groups take turns, for they may wait for each other"
                              : "work-items take turns, for they may wait for each other");
        call_before(k, places.at[n], "__weir_yield", NULL, 0);
    }
    if (places.n) {
        order_totals(k);
    }
}

void yield_find(struct wg *wg) {
    for (unsigned n = 0; wg->nyields && n < wg->nregions; n++) {
        struct region *r = &wg->regions[n];
        for (size_t i = 0; i < r->blocks.n; i++) {
            r->yields |= yield_is(LLVMGetFirstInstruction(wg->blocks[(uintptr_t)r->blocks.at[i]]));
        }
    }
}

void yield_crossing(struct wg *wg) {
    for (unsigned n = 0; wg->nyields && n < wg->nregions; n++) {
        struct region *r = &wg->regions[n];
        r->live_at_yield = job_alloc((wg->slots.n / 64 + 1) * sizeof *r->live_at_yield);
        for (size_t i = 0; r->yields && i < r->blocks.n; i++) {
            for (unsigned s = 0; s < wg->slots.n; s++) {
                if (bit_at(wg->slots.live_in[(uintptr_t)r->blocks.at[i]], s)) {
                    bit_add(r->live_at_yield, s);
                    wg->slots.at[s].crosses = true;
                    wg->slots.at[s].uniform = false; /* sub-groups come here at different times */
                }
            }
        }
    }
    for (unsigned s = 0; wg->nyields && s < wg->slots.n; s++) {
        wg->slots.at[s].crosses |= wg->slots.at[s].is_array;
    }
}

bool yield_keeps(const struct wg *wg, const struct region *r, unsigned slot) {
    return bit_at(r->live_at_yield, slot) && !wg->slots.at[slot].is_array;
}

uint64_t yield_mask_bytes(const struct wg *wg) {
    uint64_t most = 0;
    for (unsigned n = 0; wg->pack && n < wg->nregions; n++) {
        uint64_t nodes = wg->regions[n].yields ? wg->regions[n].blocks.n + wg->nregions + 1 : 0;
        most = nodes > most ? nodes : most;
    }
    return most;
}

/* ---- rounds ---- */

LLVMBasicBlockRef yield_rounds_begin(struct wg *wg) {
    LLVMBasicBlockRef round = ir_block(wg->k->run, "round");
    LLVMBuildStore(wg->b, LLVMConstNull(LLVMInt1TypeInContext(wg->k->llvm)), wg->resuming);
    LLVMBuildBr(wg->b, round);
    LLVMPositionBuilderAtEnd(wg->b, round);
    LLVMBuildStore(wg->b, ir_const32(wg->k->llvm, DONE), wg->next);
    LLVMBuildStore(wg->b, ir_const32(wg->k->llvm, 0), wg->last);
    return round;
}

void yield_rounds_end(struct wg *wg, LLVMBasicBlockRef round) {
    LLVMBasicBlockRef out = ir_block(wg->k->run, "rounds.done");
    LLVMValueRef next = LLVMBuildLoad2(wg->b, LLVMInt32TypeInContext(wg->k->llvm), wg->next, "");
    LLVMBuildStore(wg->b, LLVMConstAllOnes(LLVMInt1TypeInContext(wg->k->llvm)), wg->resuming);
    LLVMBuildCondBr(wg->b,
                    LLVMBuildICmp(wg->b, LLVMIntULT, next, ir_const32(wg->k->llvm, wg->nyields), "waits"),
                    round, out);
    LLVMPositionBuilderAtEnd(wg->b, out);
}

LLVMValueRef yield_resuming(struct wg *wg) {
    return LLVMBuildLoad2(wg->b, LLVMInt1TypeInContext(wg->k->llvm), wg->resuming, "resuming");
}

LLVMBasicBlockRef yield_fork(struct wg *wg) {
    LLVMBasicBlockRef again = ir_block(wg->k->run, "again"), first = ir_block(wg->k->run, "first");
    LLVMBuildCondBr(wg->b, yield_resuming(wg), again, first);
    LLVMPositionBuilderAtEnd(wg->b, again);
    return first;
}

void yield_dispatch(struct wg *wg, LLVMValueRef state) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(wg->b), nowhere = ir_block(wg->k->run, "nowhere");
    LLVMPositionBuilderAtEnd(wg->b, nowhere);
    LLVMBuildUnreachable(wg->b);
    LLVMPositionBuilderAtEnd(wg->b, here);
    wg->places = LLVMBuildSwitch(wg->b, state, nowhere, wg->nyields);
}

void yield_be_patient(struct wg *wg) {
    LLVMBuildStore(wg->b, ir_const32(wg->k->llvm, 0), wg->patience);
}

LLVMValueRef yield_begin(struct wg *wg, struct pause *p) {
    LLVMBasicBlockRef aside = ir_block(wg->k->run, "yield.aside");
    p->on = ir_block(wg->k->run, "yield.on");
    p->back = ir_block(wg->k->run, "yield.back");
    LLVMValueRef rounds = LLVMBuildLoad2(wg->b, LLVMInt32TypeInContext(wg->k->llvm), wg->patience, "");
    rounds = LLVMBuildAdd(wg->b, rounds, ir_const32(wg->k->llvm, 1), "");
    LLVMBuildStore(wg->b, rounds, wg->patience);
    LLVMBuildCondBr(wg->b, LLVMBuildICmp(wg->b, LLVMIntULT, rounds, ir_const32(wg->k->llvm, PATIENCE), ""),
                    p->on, aside);
    LLVMPositionBuilderAtEnd(wg->b, aside);
    LLVMValueRef state = ir_const32(wg->k->llvm, LLVMGetNumSuccessors(wg->places) - 1);
    LLVMAddCase(wg->places, state, p->back);
    return state;
}

void yield_return(struct wg *wg, struct pause *p) {
    LLVMBuildBr(wg->b, wg->loops.latch);
    LLVMPositionBuilderAtEnd(wg->b, p->back);
    yield_be_patient(wg);
}

void yield_end(struct wg *wg, struct pause *p) {
    LLVMBuildBr(wg->b, p->on);
    LLVMPositionBuilderAtEnd(wg->b, p->on);
}
