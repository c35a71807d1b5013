/* scalar_region.c: a region for one work-item: copies of its blocks.
 *
 * Needs the region in the form of slots.c and packs' loop over work-items. Gives the region's code at width 1: values
 * are in the variables of their slots, the context is read and written where work-items come and go. */
#include "report.h"
#include "wg.h"

static LLVMValueRef context_load(struct wg *wg, LLVMTypeRef type, LLVMValueRef at, uint64_t bytes) {
    LLVMValueRef load = LLVMBuildLoad2(wg->b, type, at, "");
    LLVMSetAlignment(load, wg_alignment(bytes));
    memory_annotate(&wg->facts, load, MEMORY_CONTEXT, wg->loops.group);
    return load;
}

static void context_store(struct wg *wg, LLVMValueRef value, LLVMValueRef at, uint64_t bytes) {
    LLVMValueRef store = LLVMBuildStore(wg->b, value, at);
    LLVMSetAlignment(store, wg_alignment(bytes));
    memory_annotate(&wg->facts, store, MEMORY_CONTEXT, wg->loops.group);
}

static void load_slot(struct wg *wg, struct slot *slot) {
    LLVMValueRef at = context_slot(wg, slot);
    LLVMBuildStore(wg->b, context_load(wg, slot->type, at, slot->bytes), slot->var);
}

static void save_slot(struct wg *wg, struct slot *slot) {
    LLVMValueRef value = LLVMBuildLoad2(wg->b, slot->type, slot->var, "");
    context_store(wg, value, context_slot(wg, slot), slot->bytes);
}

static void save_state(struct wg *wg, LLVMValueRef state) {
    context_store(wg, state, context_address(wg, wg->state_offset, "state"), 4);
    wg_vote(wg, state, state);
}

/* The work-item leaves the region: saves what lives on, and its vote. */
static LLVMBasicBlockRef emit_exit(struct wg *wg, struct region *r, unsigned to) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(wg->b);
    LLVMBasicBlockRef block = ir_block(wg->k->run, "exit");
    LLVMPositionBuilderAtEnd(wg->b, block);
    for (unsigned s = 0; to < wg->nregions && s < wg->slots.n; s++) {
        struct slot *slot = &wg->slots.at[s];
        if (slot->is_array || !slot->crosses || !bit_at(r->stored, s) ||
            !bit_at(wg->slots.live_in[wg->regions[to].start], s)) {
            continue;
        }
        if (slot->uniform) {
            LLVMBuildStore(wg->b, LLVMBuildLoad2(wg->b, slot->type, slot->var, ""), slot->shared);
        } else {
            save_slot(wg, slot);
        }
    }
    LLVMValueRef state = LLVMConstInt(LLVMInt32TypeInContext(wg->k->llvm), wg_state(wg, to), 0);
    if (wg_keeps_state(wg, r, to)) {
        save_state(wg, state);
    } else if (r->nexits > 1) {
        LLVMBuildStore(wg->b, state, wg->next);
    }
    LLVMBuildBr(wg->b, wg->loops.latch);
    LLVMPositionBuilderAtEnd(wg->b, here);
    return block;
}

/* Arrays where they live for this work-item. */
static void emit_arrays(struct wg *wg, struct ptrmap *map) {
    for (unsigned s = 0; s < wg->slots.n; s++) {
        struct slot *slot = &wg->slots.at[s];
        if (slot->is_array) {
            LLVMValueRef at = context_array(wg, slot);
            ptrmap_set(map, slot->var, (uintptr_t)at);
            shown_note(wg, slot, at);
        }
    }
}

/* Values in variables. */
static void emit_entry(struct wg *wg, const struct region *r, LLVMValueRef *snapshots) {
    for (unsigned s = 0; s < wg->slots.n; s++) {
        struct slot *slot = &wg->slots.at[s];
        if (snapshots[s]) {
            LLVMBuildStore(wg->b, snapshots[s], slot->var);
        } else if (!r->alone && !slot->is_array && slot->crosses && r->barrier &&
                   bit_at(wg->slots.live_in[r->start], s)) {
            load_slot(wg, slot);
        }
    }
}

/* Others run, then the work-item goes on here. */
static void emit_yield(struct wg *wg, const struct region *r) {
    struct pause pause;
    LLVMValueRef state = yield_begin(wg, &pause);
    for (unsigned s = 0; s < wg->slots.n; s++) {
        if (yield_keeps(wg, r, s)) {
            save_slot(wg, &wg->slots.at[s]);
        }
    }
    save_state(wg, state);
    yield_return(wg, &pause);
    for (unsigned s = 0; s < wg->slots.n; s++) {
        if (yield_keeps(wg, r, s)) {
            load_slot(wg, &wg->slots.at[s]);
        }
    }
    yield_end(wg, &pause);
}

static void clone_instruction(struct wg *wg, const struct region *r, struct ptrmap *map, LLVMValueRef i) {
    size_t n;
    if (ir_is_marker(i)) {
        return;
    }
    if (intrinsic_id(i, NULL)) {
        ptrmap_set(map, i, (uintptr_t)wg_item_id(wg, i, LLVMTypeOf(i)));
        return;
    }
    if (subgroup_is_op(i) || checks_is(i)) {
        LLVMValueRef args[CHECK_OPERANDS];
        for (unsigned a = 0; a < LLVMGetNumArgOperands(i); a++) {
            LLVMValueRef v = LLVMGetOperand(i, a);
            args[a] = (LLVMValueRef)ptrmap_at(map, v, (uintptr_t)v);
        }
        if (checks_is(i)) {
            checks_alone(wg, i, args);
        } else {
            ptrmap_set(map, i, (uintptr_t)subgroup_alone(wg, i, args));
        }
        return;
    }
    LLVMValueRef copy = LLVMInstructionClone(i);
    for (int o = 0; o < LLVMGetNumOperands(i); o++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)o);
        uintptr_t mapped;
        if (v && !LLVMValueIsBasicBlock(v) && ptrmap_get(map, v, &mapped)) {
            LLVMSetOperand(copy, (unsigned)o, (LLVMValueRef)mapped);
        }
    }
    LLVMInsertIntoBuilderWithName(wg->b, copy, LLVMGetValueName2(i, &n));
    ptrmap_set(map, i, (uintptr_t)copy);
    shown_place(wg, r, copy);
    if ((!wg->pack || r->alone) && !slots_of_access(&wg->slots, i)) {
        report_instruction(wg->k, i, INSTRUCTION_SCALAR, false);
    }
    if ((LLVMIsALoadInst(copy) || LLVMIsAStoreInst(copy)) && !slots_of_access(&wg->slots, copy)) {
        memory_annotate(&wg->facts, copy, wg_kind(copy), wg->loops.group);
        LLVMSetVolatile(copy, kernel_is_volatile(copy));
    }
}

static LLVMValueRef copy_of(void *map, LLVMValueRef original) {
    return (LLVMValueRef)ptrmap_at(map, original, (uintptr_t)original);
}

/* Copies the region's blocks; the terminators' targets become copies or exits. */
static LLVMBasicBlockRef clone_blocks(struct wg *wg, struct region *r, struct ptrmap *map,
                                      LLVMBasicBlockRef *exits) {
    LLVMBasicBlockRef *copies = job_alloc(wg->cfg->n * sizeof *copies);
    size_t length;
    for (size_t i = 0; i < r->blocks.n; i++) {
        unsigned node = (unsigned)(uintptr_t)r->blocks.at[i];
        const char *name = LLVMGetValueName2(LLVMBasicBlockAsValue(wg->blocks[node]), &length);
        copies[node] = ir_block(wg->k->run, name);
    }
    for (size_t i = 0; i < r->blocks.n; i++) {
        unsigned node = (unsigned)(uintptr_t)r->blocks.at[i];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(wg->blocks[node]);
        LLVMPositionBuilderAtEnd(wg->b, copies[node]);
        for (LLVMValueRef in = LLVMGetFirstInstruction(wg->blocks[node]); in != end;
             in = LLVMGetNextInstruction(in)) {
            if (yield_is(in)) {
                emit_yield(wg, r);
            } else {
                clone_instruction(wg, r, map, in);
            }
        }
        if (LLVMIsAReturnInst(end)) {
            LLVMBuildBr(wg->b, exits[wg->nregions]);
            continue;
        }
        loop_bounds_note(wg, r, node, copy_of, map);
        clone_instruction(wg, r, map, end);
        LLVMValueRef copy = LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(wg->b));
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
            unsigned after = wg_region_after(wg, to);
            LLVMSetSuccessor(copy, s, after ? exits[after] : copies[ptrmap_at(&wg->index, to, 0)]);
        }
    }
    return copies[r->start];
}

static LLVMValueRef load_state(struct wg *wg) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(wg->k->llvm);
    return context_load(wg, i32, context_address(wg, wg->state_offset, "state"), 4);
}

/* At the top of the body: skips work-items that wait elsewhere. */
static void emit_guard(struct wg *wg, const struct region *r, bool apart) {
    LLVMValueRef state = load_state(wg), runs = wg_runs(wg, r, state, apart);
    LLVMBasicBlockRef ours = ir_block(wg->k->run, "ours");
    LLVMBasicBlockRef skip = ir_block(wg->k->run, "skip");
    LLVMBuildCondBr(wg->b, runs, ours, skip);
    LLVMPositionBuilderAtEnd(wg->b, skip);
    wg_vote(wg, state, state);
    LLVMBuildBr(wg->b, wg->loops.latch);
    LLVMPositionBuilderAtEnd(wg->b, ours);
}

void scalar_region(struct wg *wg, struct region *r, LLVMValueRef *snapshots, bool apart) {
    struct ptrmap map = {0};
    if (!r->alone) {
        emit_arrays(wg, &map);
    }
    if (apart) {
        emit_guard(wg, r, true);
    }
    if (r->yields) {
        LLVMBasicBlockRef first = yield_fork(wg);
        if (!apart) {
            emit_guard(wg, r, false);
        }
        yield_dispatch(wg, load_state(wg));
        LLVMPositionBuilderAtEnd(wg->b, first);
        yield_be_patient(wg);
    }
    emit_entry(wg, r, snapshots);
    LLVMBasicBlockRef body = LLVMGetInsertBlock(wg->b);
    LLVMBasicBlockRef *exits = job_alloc((wg->nregions + 1) * sizeof *exits);
    for (unsigned to = 1; to <= wg->nregions; to++) {
        exits[to] = r->is_exit[to] ? emit_exit(wg, r, to) : NULL;
    }
    LLVMBasicBlockRef start = clone_blocks(wg, r, &map, exits);
    LLVMPositionBuilderAtEnd(wg->b, body);
    LLVMBuildBr(wg->b, start);
}
