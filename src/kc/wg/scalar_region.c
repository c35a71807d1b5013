/* item.c: a region for one work-item: copies of its blocks.
 *
 * Needs the region in the form of slots.c and packs' loop over work-items. Gives the region's code at width 1: values
 * are in the variables of their slots, the context is read and written where work-items come and go. */
#include "regions.h"

static LLVMValueRef context_load(struct cut *c, LLVMTypeRef type, LLVMValueRef at, uint64_t bytes) {
    LLVMValueRef load = LLVMBuildLoad2(c->b, type, at, "");
    LLVMSetAlignment(load, cut_alignment(bytes));
    memory_annotate(&c->facts, load, MEMORY_CONTEXT, c->packs.group);
    return load;
}

static void context_store(struct cut *c, LLVMValueRef value, LLVMValueRef at, uint64_t bytes) {
    LLVMValueRef store = LLVMBuildStore(c->b, value, at);
    LLVMSetAlignment(store, cut_alignment(bytes));
    memory_annotate(&c->facts, store, MEMORY_CONTEXT, c->packs.group);
}

static void load_slot(struct cut *c, struct slot *slot) {
    LLVMValueRef at = cut_slot_address(c, slot);
    LLVMBuildStore(c->b, context_load(c, slot->type, at, slot->bytes), slot->var);
}

static void save_slot(struct cut *c, struct slot *slot) {
    LLVMValueRef value = LLVMBuildLoad2(c->b, slot->type, slot->var, "");
    context_store(c, value, cut_slot_address(c, slot), slot->bytes);
}

static void save_state(struct cut *c, LLVMValueRef state) {
    context_store(c, state, cut_context_address(c, c->state_offset, "state"), 4);
    cut_vote(c, state, state);
}

/* The work-item leaves the region: saves what lives on, and its vote. */
static LLVMBasicBlockRef emit_exit(struct cut *c, struct region *r, unsigned to) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
    LLVMBasicBlockRef block = ir_block(c->k->run, "exit");
    LLVMPositionBuilderAtEnd(c->b, block);
    for (unsigned s = 0; to < c->nregions && s < c->slots.n; s++) {
        struct slot *slot = &c->slots.at[s];
        if (slot->is_array || !slot->crosses || !bit_at(r->stored, s) ||
            !bit_at(c->slots.live_in[c->regions[to].start], s)) {
            continue;
        }
        if (slot->uniform) {
            LLVMBuildStore(c->b, LLVMBuildLoad2(c->b, slot->type, slot->var, ""), slot->shared);
        } else {
            save_slot(c, slot);
        }
    }
    LLVMValueRef state = LLVMConstInt(LLVMInt32TypeInContext(c->k->llvm), cut_state(c, to), 0);
    if (cut_keeps_state(c, r, to)) {
        save_state(c, state);
    } else if (r->nexits > 1) {
        LLVMBuildStore(c->b, state, c->next);
    }
    LLVMBuildBr(c->b, c->packs.latch);
    LLVMPositionBuilderAtEnd(c->b, here);
    return block;
}

/* Arrays where they live for this work-item. */
static void emit_arrays(struct cut *c, struct ptrmap *map) {
    for (unsigned s = 0; s < c->slots.n; s++) {
        struct slot *slot = &c->slots.at[s];
        if (slot->is_array && slot->crosses) {
            ptrmap_set(map, slot->var, (uintptr_t)cut_slot_address(c, slot));
        } else if (slot->fixed) {
            LLVMValueRef offset = ir_const64(c->k->llvm, slot->offset);
            ptrmap_set(map, slot->var, (uintptr_t)ir_offset(c->b, c->context, offset, ""));
        }
    }
}

/* Values in variables. */
static void emit_entry(struct cut *c, const struct region *r, LLVMValueRef *snapshots) {
    for (unsigned s = 0; s < c->slots.n; s++) {
        struct slot *slot = &c->slots.at[s];
        if (snapshots[s]) {
            LLVMBuildStore(c->b, snapshots[s], slot->var);
        } else if (!slot->is_array && slot->crosses && r->barrier && bit_at(c->slots.live_in[r->start], s)) {
            load_slot(c, slot);
        }
    }
}

/* Others run, then the work-item goes on here. */
static void emit_yield(struct cut *c, const struct region *r) {
    struct pause pause;
    LLVMValueRef state = yield_begin(c, &pause);
    for (unsigned s = 0; s < c->slots.n; s++) {
        if (yield_keeps(c, r, s)) {
            save_slot(c, &c->slots.at[s]);
        }
    }
    save_state(c, state);
    yield_return(c, &pause);
    for (unsigned s = 0; s < c->slots.n; s++) {
        if (yield_keeps(c, r, s)) {
            load_slot(c, &c->slots.at[s]);
        }
    }
    yield_end(c, &pause);
}

static void clone_instruction(struct cut *c, struct ptrmap *map, LLVMValueRef i) {
    size_t n;
    if (ir_is_marker(i)) {
        return;
    }
    if (builtin_id(i, NULL)) {
        ptrmap_set(map, i, (uintptr_t)cut_item_id(c, i, LLVMTypeOf(i)));
        return;
    }
    if (lanes_is(i)) {
        LLVMValueRef args[3];
        for (unsigned a = 0; a < LLVMGetNumArgOperands(i); a++) {
            LLVMValueRef v = LLVMGetOperand(i, a);
            args[a] = (LLVMValueRef)ptrmap_at(map, v, (uintptr_t)v);
        }
        ptrmap_set(map, i, (uintptr_t)lanes_alone(c, i, args));
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
    LLVMInsertIntoBuilderWithName(c->b, copy, LLVMGetValueName2(i, &n));
    ptrmap_set(map, i, (uintptr_t)copy);
    if ((LLVMIsALoadInst(copy) || LLVMIsAStoreInst(copy)) && !slots_of_access(&c->slots, copy)) {
        memory_annotate(&c->facts, copy, cut_kind(copy), c->packs.group);
    }
}

static LLVMValueRef copy_of(void *map, LLVMValueRef original) {
    return (LLVMValueRef)ptrmap_at(map, original, (uintptr_t)original);
}

/* Copies the region's blocks; the terminators' targets become copies or exits. */
static LLVMBasicBlockRef clone_blocks(struct cut *c, struct region *r, struct ptrmap *map,
                                      LLVMBasicBlockRef *exits) {
    LLVMBasicBlockRef *copies = job_alloc(c->cfg->n * sizeof *copies);
    size_t length;
    for (size_t i = 0; i < r->blocks.n; i++) {
        unsigned node = (unsigned)(uintptr_t)r->blocks.at[i];
        const char *name = LLVMGetValueName2(LLVMBasicBlockAsValue(c->blocks[node]), &length);
        copies[node] = ir_block(c->k->run, name);
    }
    for (size_t i = 0; i < r->blocks.n; i++) {
        unsigned node = (unsigned)(uintptr_t)r->blocks.at[i];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(c->blocks[node]);
        LLVMPositionBuilderAtEnd(c->b, copies[node]);
        for (LLVMValueRef in = LLVMGetFirstInstruction(c->blocks[node]); in != end;
             in = LLVMGetNextInstruction(in)) {
            if (yield_is(in)) {
                emit_yield(c, r);
            } else {
                clone_instruction(c, map, in);
            }
        }
        if (LLVMIsAReturnInst(end)) {
            LLVMBuildBr(c->b, exits[c->nregions]);
            continue;
        }
        bound_note(c, r, node, copy_of, map);
        clone_instruction(c, map, end);
        LLVMValueRef copy = LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(c->b));
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
            unsigned behind = cut_region_behind(c, to);
            LLVMSetSuccessor(copy, s, behind ? exits[behind] : copies[ptrmap_at(&c->index, to, 0)]);
        }
    }
    return copies[r->start];
}

static LLVMValueRef load_state(struct cut *c) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c->k->llvm);
    return context_load(c, i32, cut_context_address(c, c->state_offset, "state"), 4);
}

/* At the top of the body: skips work-items that wait elsewhere. */
static void emit_guard(struct cut *c, const struct region *r, bool apart) {
    LLVMValueRef state = load_state(c), runs = cut_runs(c, r, state, apart);
    LLVMBasicBlockRef ours = ir_block(c->k->run, "ours");
    LLVMBasicBlockRef skip = ir_block(c->k->run, "skip");
    LLVMBuildCondBr(c->b, runs, ours, skip);
    LLVMPositionBuilderAtEnd(c->b, skip);
    cut_vote(c, state, state);
    LLVMBuildBr(c->b, c->packs.latch);
    LLVMPositionBuilderAtEnd(c->b, ours);
}

void item_region(struct cut *c, struct region *r, LLVMValueRef *snapshots, bool apart) {
    struct ptrmap map = {0};
    emit_arrays(c, &map);
    if (apart) {
        emit_guard(c, r, true);
    }
    if (r->yields) {
        LLVMBasicBlockRef first = yield_fork(c);
        if (!apart) {
            emit_guard(c, r, false);
        }
        yield_dispatch(c, load_state(c));
        LLVMPositionBuilderAtEnd(c->b, first);
        yield_be_patient(c);
    }
    emit_entry(c, r, snapshots);
    LLVMBasicBlockRef body = LLVMGetInsertBlock(c->b);
    LLVMBasicBlockRef *exits = job_alloc((c->nregions + 1) * sizeof *exits);
    for (unsigned to = 1; to <= c->nregions; to++) {
        exits[to] = r->is_exit[to] ? emit_exit(c, r, to) : NULL;
    }
    LLVMBasicBlockRef start = clone_blocks(c, r, &map, exits);
    LLVMPositionBuilderAtEnd(c->b, body);
    LLVMBuildBr(c->b, start);
}
