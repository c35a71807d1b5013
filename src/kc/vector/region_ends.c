/* region_ends.c: where a pack begins a region, and where its lanes leave it.
 *
 * In: the region's guard and what lives across barriers. Out: code that finds out which lanes run the region, brings values
 * of slots from the context, and takes them and the lanes' states back there. */
#include "vector.h"

void ends_begin(struct vec *v, LLVMValueRef *snapshots) {
    struct wg *wg = v->wg;
    for (unsigned n = 0; n < wg->slots.n; n++) {
        struct slot *s = &wg->slots.at[n];
        if (s->is_array) {
            continue;
        }
        if (snapshots[n]) {
            LLVMBuildStore(v->b, snapshots[n], vslot_variable(v, s));
        } else if (s->crosses && v->r->barrier && bit_at(wg->slots.live_in[v->r->start], n)) {
            vslot_restore(v, s);
        } else if (bit_at(v->r->stored, n)) { /* what earlier packs left would seem to be of use to blends */
            LLVMValueRef var = vslot_variable(v, s);
            LLVMBuildStore(v->b, LLVMGetPoison(LLVMGetAllocatedType(var)), var);
        }
    }
}

static LLVMValueRef reduce(struct vec *v, const char *how, LLVMValueRef mask, LLVMValueRef states,
                           uint32_t otherwise) {
    LLVMTypeRef type = LLVMTypeOf(states);
    LLVMValueRef votes = LLVMBuildSelect(v->b, mask, states, ir_number(type, otherwise), "");
    return vec_intrinsic(v, how, &type, 1, &votes, 1);
}

/* Which lanes run the region by their states, given as *states; where none does, the pack is done. */
LLVMValueRef ends_guard(struct vec *v, LLVMValueRef *states) {
    struct wg *wg = v->wg;
    LLVMValueRef at = context_address(wg, wg->state_offset, "state");
    *states = access_read(v, LLVMInt32TypeInContext(v->llvm), at, 4, NULL, MEMORY_CONTEXT);
    LLVMValueRef ours = wg_runs(wg, v->r, *states, v->apart);
    LLVMValueRef theirs = vec_and(v, v->base, LLVMBuildNot(v->b, ours, ""));
    LLVMValueRef elsewhere = v->apart ? ir_number(LLVMTypeOf(*states), DONE) : *states;
    wg_vote(wg, reduce(v, "llvm.vector.reduce.umin", theirs, *states, DONE),
            reduce(v, "llvm.vector.reduce.umax", theirs, elsewhere, 0));
    ours = vec_and(v, v->base, ours);
    LLVMBasicBlockRef run = ir_block(v->k->run, "ours");
    LLVMBuildCondBr(v->b, vec_any(v, ours), run, wg->loops.latch);
    LLVMPositionBuilderAtEnd(v->b, run);
    return ours;
}

/* A first round goes on here; in later ones the pack goes where it was put aside. */
void ends_resume(struct vec *v, LLVMValueRef states) {
    LLVMBasicBlockRef first = yield_fork(v->wg);
    v->awake = v->apart ? v->base : ends_guard(v, &states);
    yield_dispatch(v->wg, LLVMBuildExtractElement(v->b, states, vec_first(v, v->awake), ""));
    LLVMPositionBuilderAtEnd(v->b, first);
    yield_be_patient(v->wg);
}

/* The state of the lanes of v->mask, and their vote. If it isn't the whole pack others come at another time, and what
 * the pack shares may differ: then it is as if somebody went elsewhere. */
void ends_save_state(struct vec *v, LLVMValueRef state) {
    LLVMValueRef at = context_address(v->wg, v->wg->state_offset, "state"), high = state;
    LLVMTypeRef type = LLVMTypeOf(state), states = vec_type(v, type);
    uint32_t number = (uint32_t)LLVMConstIntGetZExtValue(state);
    access_write(v, ir_number(states, number), at, 4, v->mask, MEMORY_CONTEXT);
    if (v->mask && v->mask != v->row) {
        LLVMValueRef whole = vec_bits(v, vec_full(v, v->row));
        whole = LLVMBuildICmp(v->b, LLVMIntEQ, vec_bits(v, v->mask), whole, "whole");
        high = LLVMBuildSelect(v->b, whole, state, ir_number(type, DONE), "");
    }
    wg_vote(v->wg, state, high);
}

void ends_leave(struct vec *v, unsigned to) {
    struct wg *wg = v->wg;
    for (unsigned n = 0; to < wg->nregions && n < wg->slots.n; n++) {
        struct slot *s = &wg->slots.at[n];
        if (s->is_array || !s->crosses || !bit_at(v->r->stored, n) ||
            !bit_at(wg->slots.live_in[wg->regions[to].start], n)) {
            continue;
        }
        if (s->uniform) {
            LLVMBuildStore(v->b, LLVMBuildLoad2(v->b, s->type, vslot_variable(v, s), ""), s->shared);
        } else {
            vslot_save(v, s);
        }
    }
    LLVMValueRef state = LLVMConstInt(LLVMInt32TypeInContext(v->llvm), wg_state(wg, to), 0);
    if (wg_keeps_state(wg, v->r, to)) {
        ends_save_state(v, state);
    } else if (v->r->nexits > 1) {
        LLVMBuildStore(v->b, state, wg->next);
    }
}
