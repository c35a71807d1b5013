/* vector_region.c: a region for a pack: W consecutive work-items of a row as the lanes of vectors.
 *
 * Needs the region in the form of slots.c, the pack's uniformity, and packs' loop over rows in steps of W. Gives the
 * region's code: outside islands (linearize.c) branches are real and all lanes of the pack run; inside, each node
 * runs under the mask of the lanes that wait for it, and is branched over when there are none. Values are widened by
 * widen.c; slots become variables of the width, so that no PHIs need repair.
 * Invariant: a lane that is off writes no memory, and changes no variable that it will read. */
#include "report.h"
#include "vector.h"
#include <assert.h>
#include <string.h>

/* ---- control flow ---- */

/* Whether lanes wait for the node that come from one which all lanes of the current loop run. */
static bool is_divergent(const struct vec *v, unsigned node) {
    return linearize_loop_of(v->l, node) == v->loop && linearize_island_of(v->l, node) != NONE;
}

/* Whether the way to the node leaves the current loop. */
static bool leaves_loop(const struct vec *v, unsigned node) {
    unsigned loop = v->l->loop[node];
    while (loop != v->loop && loop != NONE) {
        loop = v->l->spans[loop].loop;
    }
    return loop != v->loop;
}

/* Where an island's code begins. */
static LLVMBasicBlockRef head(struct vec *v, unsigned island) {
    return v->label[v->l->first[island]];
}

static void wait_at(struct vec *v, unsigned node, LLVMValueRef lanes) {
    LLVMBuildStore(v->b, LLVMBuildOr(v->b, vslot_pending(v, node), vslot_full(v, lanes), ""),
                   v->pending[node]);
}

/* Nobody waits in an island that all lanes of the current loop come to. Those who wait there later are so no matter of earlier
 * rounds: their masks aren't kept from one to the next. A pack that was put aside may go on in the middle. */
static void nobody_waits(struct vec *v, unsigned island) {
    for (unsigned node = 0; !v->r->yields && node < v->l->g->n; node++) {
        if (v->pending[node] && linearize_island_of(v->l, node) == island) {
            LLVMBuildStore(v->b, LLVMConstNull(vslot_mask_type(v)), v->pending[node]);
        }
    }
}

/* Where the node's code begins for all lanes of the current loop; NULL: there are lanes that wait. */
static LLVMBasicBlockRef label_of(struct vec *v, unsigned node) {
    bool comes_around = v->loop != NONE && v->l->place[node] == v->l->spans[v->loop].first;
    return comes_around                                    ? v->body[node]
           : leaves_loop(v, node) || is_divergent(v, node) ? NULL
                                                           : v->label[node];
}

static void leave_loop(struct vec *v, unsigned node);

/* Goes on at a node with all lanes of the pack, or of the current loop. */
static void go(struct vec *v, unsigned node) {
    LLVMBasicBlockRef label = label_of(v, node);
    if (label) {
        LLVMBuildBr(v->b, label);
    } else if (leaves_loop(v, node)) {
        leave_loop(v, node);
    } else {
        nobody_waits(v, linearize_island_of(v->l, node));
        wait_at(v, node, v->base ? vslot_of_mask(v, v->base) : NULL);
        LLVMBuildBr(v->b, head(v, linearize_island_of(v->l, node)));
    }
}

/* The current island is done: all lanes go on together. */
static void leave_island(struct vec *v, unsigned island) {
    if (v->l->after[island] == NONE) {
        LLVMBuildBr(v->b, v->wg->loops.latch);
    } else {
        go(v, v->l->after[island]);
    }
}

/* Lanes that wait at nodes of the span: they came around. *only: the node where all do, or NONE. */
static LLVMValueRef waiting_in(struct vec *v, const struct span *s, unsigned *only) {
    unsigned nodes = 0;
    LLVMValueRef waiting = LLVMConstNull(vslot_mask_type(v));
    for (unsigned p = s->first; p <= s->last; p++) {
        unsigned node = v->l->order[p];
        if (linearize_comes_around(v->l, s, node)) {
            waiting = LLVMBuildOr(v->b, waiting, vslot_pending(v, node), "");
            *only = nodes++ ? NONE : node;
        }
    }
    return waiting;
}

/* After a divergent node, or a loop that lanes went around together: around the loops that end there, of which `span` is
 * the innermost, then to the next node of the island. */
static void go_after(struct vec *v, unsigned island, unsigned place, unsigned span) {
    for (unsigned s = span; s != NONE && v->l->spans[s].island == island && v->l->spans[s].last == place;
         s = v->l->spans[s].parent) {
        LLVMBasicBlockRef out = ir_block(v->k->run, "left");
        unsigned first = v->l->order[v->l->spans[s].first], only = NONE;
        LLVMValueRef waiting = waiting_in(v, &v->l->spans[s], &only);
        bool runs = only == first && v->run[first];
        LLVMValueRef any = vec_any(v, vslot_to_mask(v, waiting));
        LLVMBuildCondBr(v->b, any, runs ? v->run[first] : v->label[first], out);
        LLVMPositionBuilderAtEnd(v->b, out);
    }
    while (++place < v->l->length && linearize_island_of(v->l, v->l->order[place]) != island) {
    }
    if (place < v->l->length) {
        LLVMBuildBr(v->b, v->label[v->l->order[place]]);
    } else {
        leave_island(v, island);
    }
}

static void go_after_node(struct vec *v, unsigned node) {
    go_after(v, v->l->island[node], v->l->place[node], v->l->innermost[node]);
}

/* The condition in each lane. In lanes that are off it may be poison, which an `and` would hand on. */
static LLVMValueRef condition_of(struct vec *v, LLVMValueRef condition, LLVMValueRef mask) {
    LLVMValueRef c = wide_vector(v, wide_of(v, condition), LLVMTypeOf(condition));
    return mask ? LLVMBuildFreeze(v->b, c, "") : c;
}

/* Lanes of the mask (NULL: all) leave for the exit at once: others may go around loops, and change what a pack shares. */
static void leave_now(struct vec *v, unsigned exit, LLVMValueRef lanes) {
    LLVMBasicBlockRef go_out = ir_block(v->k->run, "exit"), over = ir_block(v->k->run, "over");
    LLVMValueRef mask = v->mask;
    LLVMBuildCondBr(v->b, vec_any(v, vec_full(v, lanes)), go_out, over);
    LLVMPositionBuilderAtEnd(v->b, go_out);
    v->mask = lanes;
    ends_leave(v, exit);
    v->mask = mask;
    LLVMBuildBr(v->b, over);
    LLVMPositionBuilderAtEnd(v->b, over);
}

/* Lanes (NULL: all) go to a node of the island, where they wait, or past it. */
static void go_in_island(struct vec *v, unsigned island, unsigned to, LLVMValueRef lanes) {
    if (!linearize_is_in(v->l, island, to)) {
        return;
    }
    if (to >= v->l->nblocks) {
        leave_now(v, to - v->l->nblocks, lanes ? vslot_to_mask(v, lanes) : NULL);
    } else {
        wait_at(v, to, lanes);
    }
}

/* The lanes that went around the current loop go on at the node, which is not in it. */
static void leave_loop(struct vec *v, unsigned node) {
    unsigned loop = v->loop;
    const struct span *s = &v->l->spans[loop];
    LLVMValueRef lanes = v->base;
    v->loop = s->loop;
    v->base = v->mask = s->loop == NONE ? v->all_base : v->loop_base[s->loop];
    go_in_island(v, s->island, node, lanes ? vslot_of_mask(v, lanes) : NULL);
    go_after(v, s->island, s->last, s->parent);
    v->loop = loop;
    v->base = v->mask = lanes;
}

/* All lanes run the node, and where two of them tell that all go around its loop they do so without masks. Nobody waits
 * anywhere else then. */
static void go_around(struct vec *v, LLVMValueRef condition, unsigned node) {
    for (unsigned s = 0; s < 2; s++) {
        unsigned to = v->l->g->succ[node][s];
        bool is_back = to < v->l->nblocks && linearize_loop_of(v->l, to) == v->loop &&
                       v->l->place[to] <= v->l->place[node];
        struct condition c;
        if (!is_back || !v->full[to]) {
            continue;
        }
        condition_find(v, condition, !s, &c);
        LLVMValueRef all = !c.lanes            ? c.shared
                           : c.shared && c.all ? LLVMBuildAnd(v->b, c.shared, c.all, "all")
                                               : c.all;
        if (all) {
            LLVMBasicBlockRef some = ir_block(v->k->run, "some");
            LLVMBuildCondBr(v->b, all, v->full[to], some);
            LLVMPositionBuilderAtEnd(v->b, some);
        }
    }
}

static void end_divergent(struct vec *v, LLVMValueRef end, unsigned node) {
    unsigned n = v->l->g->nsucc[node];
    LLVMValueRef lanes[2] = {v->stored_mask, v->stored_mask};
    if (n == 2 && !v->mask && !v->base) {
        go_around(v, LLVMGetCondition(end), node);
    }
    if (n == 2) {
        LLVMValueRef condition = LLVMGetCondition(end);
        LLVMValueRef c = vslot_of_mask(v, condition_of(v, condition, v->mask));
        lanes[0] = vec_and(v, v->stored_mask, c);
        lanes[1] = vec_and(v, v->stored_mask, LLVMBuildNot(v->b, c, ""));
    }
    for (unsigned s = 0; s < n; s++) {
        go_in_island(v, v->l->island[node], v->l->g->succ[node][s], lanes[s]);
    }
    go_after_node(v, node);
}

/* Whether lanes come to the island from this node alone: then it dominates the island's code. */
static bool is_only_entry(const struct vec *v, unsigned node, unsigned island) {
    const struct linear *l = v->l;
    for (unsigned to = 0; to < l->g->n; to++) {
        if (!linearize_is_in(l, island, to)) {
            continue;
        }
        if (to == 0) { /* where the pack begins */
            return false;
        }
        for (unsigned p = 0; p < l->g->npred[to]; p++) {
            unsigned from = l->g->pred[to][p];
            if (!linearize_is_in(l, island, from) && from != node) {
                return false;
            }
        }
    }
    return true;
}

/* Whether successor s is where the lanes of a branch meet, and not in the island that it opens. Lanes of other
 * branches may wait there: then it lies in an island of its own. */
static bool meets_at(const struct vec *v, const unsigned *succ, unsigned s) {
    return !is_divergent(v, succ[s]) ||
           (is_divergent(v, succ[!s]) && v->l->after[linearize_island_of(v->l, succ[!s])] == succ[s]);
}

/* Some lanes go on at an island's node `to`, which they come to from there alone or not. */
static void enter_island(struct vec *v, unsigned node, unsigned to, const struct condition *c) {
    LLVMValueRef lanes = vec_and(v, v->base, c->lanes);
    bool knows = !v->base || v->base == v->all_base; /* what compares with bounds say of all lanes */
    if (to >= v->l->nblocks) {
        leave_now(v, to - v->l->nblocks, lanes);
        return;
    }
    wait_at(v, to, vslot_of_mask(v, lanes));
    if (knows && v->l->g->npred[to] == 1 && !v->r->yields &&
        is_only_entry(v, node, linearize_island_of(v->l, to))) {
        v->any[to] = c->any;
        v->all[to] = v->base ? NULL : c->all; /* else there are lanes beyond the row's end */
        v->maybe[to] = c->maybe;
    }
}

/* The end of a block that all lanes run, where they may part. */
static void part(struct vec *v, unsigned node, LLVMValueRef condition) {
    unsigned *succ = v->l->g->succ[node], island = NONE, meet = NONE;
    for (unsigned s = 0; s < 2; s++) {
        meet = meets_at(v, succ, s) ? succ[s] : meet;
        if (!meets_at(v, succ, s)) {
            nobody_waits(v, linearize_island_of(v->l, succ[s]));
        }
    }
    for (unsigned s = 0; s < 2; s++) {
        struct condition c;
        if (meets_at(v, succ, s)) {
            continue;
        }
        island = linearize_island_of(v->l, succ[s]);
        condition_find(v, condition, !s, &c);
        LLVMBasicBlockRef past = meet != NONE ? label_of(v, meet) : NULL;
        if (c.shared && past) { /* then nobody waits in the island */
            LLVMBasicBlockRef some = ir_block(v->k->run, "some");
            LLVMBuildCondBr(v->b, c.shared, some, past);
            LLVMPositionBuilderAtEnd(v->b, some);
        } else if (c.shared) {
            LLVMValueRef all = wide_splat(v, c.shared);
            c = (struct condition){.lanes = vec_and(v, c.lanes, all)};
        }
        enter_island(v, node, succ[s], &c);
    }
    LLVMBuildBr(v->b, island == NONE ? label_of(v, meet == NONE ? succ[0] : meet) : head(v, island));
}

static void end_uniform(struct vec *v, LLVMValueRef end, unsigned node) {
    unsigned n = v->l->g->nsucc[node], *succ = v->l->g->succ[node];
    if (n == 0) {
        LLVMBuildUnreachable(v->b);
        return;
    }
    if (n == 1) {
        go(v, succ[0]);
        return;
    }
    LLVMValueRef condition = LLVMGetCondition(end);
    const struct wide *w = wide_of(v, condition);
    LLVMBasicBlockRef labels[] = {label_of(v, succ[0]), label_of(v, succ[1])};
    if (labels[0] && labels[1] && w->form == FORM_UNIFORM) {
        LLVMBuildCondBr(v->b, w->value, labels[0], labels[1]);
        return;
    }
    if (w->form == FORM_UNIFORM) {
        LLVMBasicBlockRef arms[] = {ir_block(v->k->run, "then"), ir_block(v->k->run, "else")};
        LLVMBuildCondBr(v->b, w->value, arms[0], arms[1]);
        for (unsigned s = 0; s < 2; s++) {
            LLVMPositionBuilderAtEnd(v->b, arms[s]);
            go(v, succ[s]);
        }
        return;
    }
    part(v, node, condition);
}

/* ---- nodes ---- */

/* The masks of the lanes that wait in the island of v->node go to the context, or come back from there. */
static void move_masks(struct vec *v, bool back) {
    unsigned island = v->l->island[v->node];
    LLVMTypeRef i8 = LLVMInt8TypeInContext(v->llvm), bytes = vec_type(v, i8);
    for (unsigned i = 0; island != NONE && i < v->l->length; i++) {
        unsigned node = v->l->order[i];
        if (v->l->island[node] != island) {
            continue;
        }
        LLVMValueRef at = context_address(v->wg, v->wg->masks_offset + node, "waiting");
        if (back) {
            LLVMValueRef mask = access_read(v, i8, at, 1, NULL, MEMORY_CONTEXT);
            mask = LLVMBuildICmp(v->b, LLVMIntNE, mask, LLVMConstNull(bytes), "");
            mask = vslot_of_mask(v, LLVMBuildAnd(v->b, mask, v->awake, ""));
            LLVMBuildStore(v->b, mask, v->pending[node]);
        } else {
            LLVMValueRef mask = vslot_to_mask(v, vslot_pending(v, node));
            access_write(v, LLVMBuildZExt(v->b, mask, bytes, ""), at, 1, v->mask, MEMORY_CONTEXT);
        }
    }
}

/* Lanes that are in the region yet: all, but where they leave it in the island: then those that wait there. */
static LLVMValueRef present(struct vec *v) {
    unsigned island = v->l->island[v->node];
    if (island == NONE || v->l->after[island] != NONE) {
        return v->base;
    }
    LLVMValueRef mask = LLVMConstNull(vslot_mask_type(v));
    for (unsigned node = 0; node < v->l->g->n; node++) {
        if (v->l->island[node] == island) {
            mask = LLVMBuildOr(v->b, mask, vslot_pending(v, node), "");
        }
    }
    return vslot_to_mask(v, mask);
}

/* The pack is put aside as it is, and goes on here in a later round. */
static void emit_yield(struct vec *v) {
    struct wg *wg = v->wg;
    struct pause pause;
    bool divergent = is_divergent(v, v->node);
    LLVMValueRef base = v->base;
    if (divergent) {
        wait_at(v, v->node, v->stored_mask);
    }
    LLVMValueRef state = yield_begin(wg, &pause);
    v->mask = present(v);
    for (unsigned s = 0; s < wg->slots.n; s++) {
        if (yield_keeps(wg, v->r, s)) {
            vslot_save(v, &wg->slots.at[s]);
        }
    }
    move_masks(v, false);
    ends_save_state(v, state);
    yield_return(wg, &pause);
    v->base = v->awake;
    for (unsigned s = 0; s < wg->slots.n; s++) {
        if (yield_keeps(wg, v->r, s)) {
            vslot_restore(v, &wg->slots.at[s]);
        }
    }
    v->base = base;
    move_masks(v, true);
    yield_end(wg, &pause);
    v->mask = base;
    if (divergent) {
        v->stored_mask = vslot_pending(v, v->node);
        v->mask = vslot_to_mask(v, v->stored_mask);
        LLVMBuildStore(v->b, LLVMConstNull(vslot_mask_type(v)), v->pending[v->node]);
    }
}

static void report_computed(struct vec *v, LLVMValueRef i) {
    uintptr_t wide;
    if (v->k->report && ptrmap_get(&v->values, i, &wide)) {
        enum form form = ((const struct wide *)wide)->form;
        bool is_scalar = form == FORM_UNIFORM || form == FORM_AFFINE;
        report_instruction(v->k, i, is_scalar ? INSTRUCTION_UNIFORM : INSTRUCTION_VECTOR, v->mask);
    }
}

static void emit_block(struct vec *v, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end; i = LLVMGetNextInstruction(i)) {
        struct slot *slot = slots_of_access(&v->wg->slots, i);
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
        LLVMSetCurrentDebugLocation2(v->b, location);
        if (ir_is_marker(i)) {
            continue;
        }
        if (yield_is(i)) {
            emit_yield(v);
        } else if (slot && !slot->is_array && LLVMIsALoadInst(i)) {
            wide_set(v, i, vslot_read(v, slot));
        } else if (slot && !slot->is_array) {
            vslot_write(v, slot, wide_of(v, LLVMGetOperand(i, 0)));
        } else {
            widen_instruction(v, i);
            report_computed(v, i);
        }
    }
    LLVMSetCurrentDebugLocation2(v->b, NULL);
}

static LLVMValueRef scalar_of(void *v, LLVMValueRef original) {
    const struct wide *w = wide_of(v, original);
    return w->form == FORM_UNIFORM ? w->value : NULL;
}

/* The block's instructions and where they lead, under v->mask. */
static void emit_body(struct vec *v, LLVMBasicBlockRef block, unsigned node) {
    bool divergent = v->l->island[node] != NONE;
    assert((divergent                    ? !v->mask == !v->stored_mask
            : v->loop == NONE || v->mask ? v->mask == v->base
                                         : true) &&
           "a block without a divergent way to it runs for some of the lanes alone");
    assert((!v->mask || LLVMTypeOf(v->mask) == LLVMTypeOf(vec_full(v, NULL))) &&
           "a mask isn't a bit per lane");
    emit_block(v, block);
    loop_bounds_note(v->wg, v->r, (unsigned)(uintptr_t)v->r->blocks.at[node], scalar_of, v);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (divergent) {
        end_divergent(v, end, node);
    } else {
        end_uniform(v, end, node);
    }
}

static void emit_exit_node(struct vec *v, unsigned node) {
    LLVMPositionBuilderAtEnd(v->b, v->label[node]);
    if (v->l->island[node] != NONE) { /* lanes have left before */
        go_after_node(v, node);
        return;
    }
    v->mask = v->base;
    ends_leave(v, node - v->l->nblocks);
    LLVMBuildBr(v->b, v->wg->loops.latch);
}

/* The block for lanes of the current mask; `twice`: if all are on, a version without it. */
static void emit_versions(struct vec *v, LLVMBasicBlockRef block, unsigned node, bool twice) {
    if (twice && v->mask && block_gains_from_full(v, block)) {
        LLVMBasicBlockRef full = ir_block(v->k->run, "full"), part = ir_block(v->k->run, "part");
        LLVMValueRef mask = v->mask, kept = v->stored_mask;
        LLVMBuildCondBr(v->b, v->all[node] ? v->all[node] : vec_all(v, mask), full, part);
        LLVMPositionBuilderAtEnd(v->b, full);
        v->mask = v->stored_mask = NULL;
        v->full[node] = v->l->island[node] != NONE ? full : NULL;
        emit_body(v, block, node);
        v->mask = mask;
        v->stored_mask = kept;
        LLVMPositionBuilderAtEnd(v->b, part);
    }
    emit_body(v, block, node);
}

static LLVMBasicBlockRef block_of(struct vec *v, unsigned node) {
    return v->wg->blocks[(uintptr_t)v->r->blocks.at[node]];
}

static void emit_node(struct vec *v, unsigned node);

/* The loop's nodes, for the lanes of `base`. */
static void emit_rounds(struct vec *v, unsigned loop, LLVMValueRef base) {
    const struct span *s = &v->l->spans[loop];
    unsigned header = v->l->order[s->first];
    for (unsigned p = s->first; p <= s->last; p++) {
        unsigned node = v->l->order[p];
        if (linearize_loop_of(v->l, node) == loop) {
            v->label[node] = ir_block(v->k->run, "node");
        }
        v->run[node] = v->full[node] = NULL;
        v->any[node] = v->all[node] = v->maybe[node] = NULL;
    }
    v->body[header] = ir_block(v->k->run, "round");
    v->loop_base[loop] = base;
    LLVMBuildBr(v->b, v->body[header]);
    for (unsigned p = s->first; p <= s->last; p++) {
        unsigned node = v->l->order[p];
        v->node = node;
        if (node == header) {
            v->loop = loop;
            v->base = v->mask = base;
            v->stored_mask = NULL;
            LLVMPositionBuilderAtEnd(v->b, v->body[node]);
            emit_versions(v, block_of(v, node), node, s->loop != NONE);
        } else if (linearize_loop_of(v->l, node) == loop) {
            emit_node(v, node);
        }
    }
}

/* A loop that the lanes of v->mask go around together: their mask doesn't change in it. If it is short, once more for when
 * all lanes are on. */
static void emit_loop(struct vec *v, unsigned header) {
    unsigned loop = v->l->loop[header], count = 0;
    const struct span *s = &v->l->spans[loop];
    bool gains = false;
    for (unsigned p = s->first; p <= s->last; p++) {
        LLVMBasicBlockRef block = block_of(v, v->l->order[p]);
        gains |= block_gains_from_full(v, block);
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            count++;
        }
    }
    LLVMValueRef mask = v->mask;
    if (gains && s->loop == NONE && count <= VECTOR_LONG_BLOCK) {
        LLVMBasicBlockRef full = ir_block(v->k->run, "full"), part = ir_block(v->k->run, "part");
        LLVMBuildCondBr(v->b, v->all[header] ? v->all[header] : vec_all(v, mask), full, part);
        LLVMPositionBuilderAtEnd(v->b, full);
        emit_rounds(v, loop, NULL);
        LLVMPositionBuilderAtEnd(v->b, part);
    }
    emit_rounds(v, loop, mask);
}

static void emit_node(struct vec *v, unsigned node) {
    unsigned island = linearize_island_of(v->l, node);
    v->node = node;
    v->loop = linearize_loop_of(v->l, node);
    v->base = v->mask = v->loop == NONE ? v->all_base : v->loop_base[v->loop];
    v->stored_mask = NULL;
    if (node >= v->l->nblocks) {
        emit_exit_node(v, node);
        return;
    }
    LLVMBasicBlockRef block = block_of(v, node);
    LLVMPositionBuilderAtEnd(v->b, v->label[node]);
    if (island == NONE) {
        emit_versions(v, block, node, v->loop != NONE);
        return;
    }
    bool branches = block_needs_branch(v, block, node);
    v->stored_mask = vslot_pending(v, node);
    v->mask = vslot_to_mask(v, v->stored_mask);
    if (branches) {
        LLVMBasicBlockRef run = ir_block(v->k->run, "run"), over = ir_block(v->k->run, "over");
        if (v->all[node] && !v->any[node]) { /* two lanes tell it, without a mask */
            LLVMBasicBlockRef not_all = ir_block(v->k->run, "not.all");
            LLVMBuildCondBr(v->b, v->all[node], run, not_all);
            LLVMPositionBuilderAtEnd(v->b, not_all);
        }
        if (v->maybe[node] && !v->any[node]) {
            LLVMBasicBlockRef some = ir_block(v->k->run, "some");
            LLVMBuildCondBr(v->b, v->maybe[node], some, over);
            LLVMPositionBuilderAtEnd(v->b, some);
        }
        LLVMValueRef any = v->any[node] ? v->any[node] : vec_any(v, v->mask);
        unsigned last =
            linearize_is_header(v->l, node) ? v->l->spans[v->l->loop[node]].last : v->l->place[node];
        unsigned span =
            linearize_is_header(v->l, node) ? v->l->spans[v->l->loop[node]].parent : v->l->innermost[node];
        if (ir_calls_function(block)) { /* registers are kept for the other way */
            ir_expect(LLVMBuildCondBr(v->b, LLVMBuildNot(v->b, any, ""), over, run));
        } else {
            LLVMBuildCondBr(v->b, any, run, over);
        }
        LLVMPositionBuilderAtEnd(v->b, over);
        go_after(v, island, last, span);
        LLVMPositionBuilderAtEnd(v->b, run);
        v->run[node] = run;
        v->stored_mask = vslot_pending(v, node); /* also from the end of its loop */
        v->mask = vslot_to_mask(v, v->stored_mask);
    }
    LLVMBuildStore(v->b, LLVMConstNull(vslot_mask_type(v)), v->pending[node]);
    if (linearize_is_header(v->l, node)) {
        emit_loop(v, node);
    } else {
        emit_versions(v, block, node, branches);
    }
}

/* Lanes beyond the row's end are off. */
static LLVMValueRef row_mask(struct vec *v) {
    LLVMValueRef size = v->wg->loops.size[0];
    if (v->k->rows > 1) { /* of whole rows */
        return NULL;
    }
    if (LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) % v->width == 0) {
        return NULL;
    }
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMValueRef left = LLVMBuildSub(v->b, size, v->wg->loops.local_id[0], "");
    LLVMValueRef lanes = wide_vector(v, wide_new(FORM_UNIFORM, LLVMBuildTrunc(v->b, left, i32, ""), 0), i32);
    return LLVMBuildICmp(v->b, LLVMIntULT, wide_ramp(v, i32, 1), lanes, "row");
}

/* Labels of all nodes that there are, and nobody waits yet. */
static void prepare_nodes(struct vec *v) {
    unsigned n = v->l->g->n;
    v->pending = job_alloc(n * sizeof *v->pending);
    v->body = job_alloc(n * sizeof *v->body);
    v->loop_base = job_alloc((v->l->nspans + 1) * sizeof *v->loop_base);
    v->label = job_alloc(n * sizeof *v->label);
    v->run = job_alloc(n * sizeof *v->run);
    v->full = job_alloc(n * sizeof *v->full);
    v->any = job_alloc(n * sizeof *v->any);
    v->all = job_alloc(n * sizeof *v->all);
    v->maybe = job_alloc(n * sizeof *v->maybe);
    for (unsigned node = 0; node < n; node++) {
        bool is_exit = node >= v->l->nblocks;
        if (is_exit && !v->r->is_exit[node - v->l->nblocks]) {
            continue;
        }
        if (linearize_loop_of(v->l, node) == NONE) { /* those of loops are made with them */
            v->label[node] = ir_block(v->k->run, is_exit ? "exit" : "node");
        }
        if (linearize_island_of(v->l, node) != NONE) {
            v->pending[node] = vec_variable(v, vslot_mask_type(v), "pending");
            LLVMBuildStore(v->b, LLVMConstNull(vslot_mask_type(v)), v->pending[node]);
        }
    }
}

/* Some of the lanes that wait for the region, which agree on what a pack shares: v->base. Others follow. Gives the
 * variable of those. */
static LLVMValueRef take_turns(struct vec *v, LLVMValueRef waiting, LLVMBasicBlockRef turn) {
    LLVMValueRef left = vec_variable(v, vslot_mask_type(v), "left");
    LLVMBuildStore(v->b, vslot_of_mask(v, waiting), left);
    LLVMBuildBr(v->b, turn);
    LLVMPositionBuilderAtEnd(v->b, turn);
    LLVMValueRef mask = vslot_to_mask(v, LLVMBuildLoad2(v->b, vslot_mask_type(v), left, ""));
    v->all_base = v->base = v->mask = vslot_agree(v, mask);
    mask = LLVMBuildAnd(v->b, mask, LLVMBuildNot(v->b, v->base, ""), "");
    LLVMBuildStore(v->b, vslot_of_mask(v, mask), left);
    return left;
}

void vector_region(struct wg *wg, struct region *r, LLVMValueRef *snapshots, bool apart) {
    struct vec *v = vec_new(wg, r);
    v->apart = apart;
    v->l = r->linear;
    v->row = v->all_base = v->base = v->mask = row_mask(v);
    LLVMBasicBlockRef latch = wg->loops.latch, turn = apart ? ir_block(v->k->run, "turn") : NULL;
    LLVMValueRef states = NULL, left = NULL;
    if (apart) {
        left = take_turns(v, ends_guard(v, &states), turn);
        wg->loops.latch = ir_block(v->k->run, "turn.next");
    }
    prepare_nodes(v);
    for (unsigned s = 0; s < wg->slots.n; s++) {
        if (wg->slots.at[s].is_array) {
            vslot_place(v, &wg->slots.at[s]);
        }
    }
    if (r->yields) {
        ends_resume(v, states);
    }
    ends_begin(v, snapshots);
    go(v, 0);
    for (unsigned node = 0; node < v->l->g->n; node++) {
        if (v->label[node] && linearize_loop_of(v->l, node) == NONE) {
            emit_node(v, node);
        }
    }
    if (apart) {
        LLVMPositionBuilderAtEnd(v->b, wg->loops.latch);
        LLVMValueRef rest = vslot_to_mask(v, LLVMBuildLoad2(v->b, vslot_mask_type(v), left, ""));
        LLVMBuildCondBr(v->b, vec_any(v, rest), turn, latch);
        wg->loops.latch = latch;
    }
}
