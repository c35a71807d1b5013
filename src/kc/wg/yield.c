/* yield.c: where sub-groups of a work-group wait for each other, outside barriers.
 *
 * In: a kernel that uses sub-groups, before its barriers are isolated. Gives each of them independent progress: a loop
 * that may wait for another sub-group has calls of __weir_yield, alone in their blocks, on its way around. There the
 * pack is put aside as a whole: the context takes the values that live anywhere in the region, the masks of lanes that
 * wait at blocks of the island, and a state below cut.nyields, the place. A region that has such places runs in rounds,
 * until no pack waits at one any more; only then the group goes on to a barrier. A pack that goes round a few times
 * without being put aside makes loops cheap that seldom wait, or never. */
#include "regions.h"

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
    struct list rounds = {0};
    if (k->progress && k->meta->uses_subgroups && !is_single_pack(k)) {
        rounds = waiting_rounds(k);
    }
    for (size_t n = 0; n < rounds.n; n += 2) {
        LLVMBasicBlockRef block = LLVMGetSuccessor(rounds.at[n], (unsigned)(uintptr_t)rounds.at[n + 1]);
        LLVMValueRef first = LLVMGetFirstInstruction(block);
        while (LLVMIsAPHINode(first)) {
            first = LLVMGetNextInstruction(first);
        }
        if (!yield_is(first)) {
            report_note(k, rounds.at[n], "loop", "sub-groups take turns, for they may wait for each other");
            call_before(k, first, "__weir_yield", NULL, 0);
        }
    }
    if (rounds.n) {
        order_totals(k);
    }
}

void yield_find(struct cut *c) {
    for (unsigned n = 0; c->nyields && n < c->nregions; n++) {
        struct region *r = &c->regions[n];
        for (size_t i = 0; i < r->blocks.n; i++) {
            r->yields |= yield_is(LLVMGetFirstInstruction(c->blocks[(uintptr_t)r->blocks.at[i]]));
        }
    }
}

void yield_crossing(struct cut *c) {
    for (unsigned n = 0; c->nyields && n < c->nregions; n++) {
        struct region *r = &c->regions[n];
        r->kept = job_alloc((c->slots.n / 64 + 1) * sizeof *r->kept);
        for (size_t i = 0; r->yields && i < r->blocks.n; i++) {
            for (unsigned s = 0; s < c->slots.n; s++) {
                if (bit_at(c->slots.live_in[(uintptr_t)r->blocks.at[i]], s)) {
                    bit_add(r->kept, s);
                    c->slots.at[s].crosses = true;
                    c->slots.at[s].uniform = false; /* sub-groups come here at different times */
                }
            }
        }
    }
    for (unsigned s = 0; c->nyields && s < c->slots.n; s++) {
        c->slots.at[s].crosses |= c->slots.at[s].is_array;
    }
}

bool yield_keeps(const struct cut *c, const struct region *r, unsigned slot) {
    return bit_at(r->kept, slot) && !c->slots.at[slot].is_array;
}

uint64_t yield_mask_bytes(const struct cut *c) {
    uint64_t most = 0;
    for (unsigned n = 0; c->pack && n < c->nregions; n++) {
        uint64_t nodes = c->regions[n].yields ? c->regions[n].blocks.n + c->nregions + 1 : 0;
        most = nodes > most ? nodes : most;
    }
    return most;
}

/* ---- rounds ---- */

LLVMBasicBlockRef yield_rounds_begin(struct cut *c) {
    LLVMBasicBlockRef round = ir_block(c->k->run, "round");
    LLVMBuildStore(c->b, LLVMConstNull(LLVMInt1TypeInContext(c->k->llvm)), c->resuming);
    LLVMBuildBr(c->b, round);
    LLVMPositionBuilderAtEnd(c->b, round);
    LLVMBuildStore(c->b, ir_const32(c->k->llvm, DONE), c->next);
    LLVMBuildStore(c->b, ir_const32(c->k->llvm, 0), c->last);
    return round;
}

void yield_rounds_end(struct cut *c, LLVMBasicBlockRef round) {
    LLVMBasicBlockRef out = ir_block(c->k->run, "rounds.done");
    LLVMValueRef next = LLVMBuildLoad2(c->b, LLVMInt32TypeInContext(c->k->llvm), c->next, "");
    LLVMBuildStore(c->b, LLVMConstAllOnes(LLVMInt1TypeInContext(c->k->llvm)), c->resuming);
    LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntULT, next, ir_const32(c->k->llvm, c->nyields), "waits"),
                    round, out);
    LLVMPositionBuilderAtEnd(c->b, out);
}

LLVMValueRef yield_resuming(struct cut *c) {
    return LLVMBuildLoad2(c->b, LLVMInt1TypeInContext(c->k->llvm), c->resuming, "resuming");
}

LLVMBasicBlockRef yield_fork(struct cut *c) {
    LLVMBasicBlockRef again = ir_block(c->k->run, "again"), first = ir_block(c->k->run, "first");
    LLVMBuildCondBr(c->b, yield_resuming(c), again, first);
    LLVMPositionBuilderAtEnd(c->b, again);
    return first;
}

void yield_dispatch(struct cut *c, LLVMValueRef state) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b), nowhere = ir_block(c->k->run, "nowhere");
    LLVMPositionBuilderAtEnd(c->b, nowhere);
    LLVMBuildUnreachable(c->b);
    LLVMPositionBuilderAtEnd(c->b, here);
    c->places = LLVMBuildSwitch(c->b, state, nowhere, c->nyields);
}

void yield_be_patient(struct cut *c) {
    LLVMBuildStore(c->b, ir_const32(c->k->llvm, 0), c->patience);
}

LLVMValueRef yield_begin(struct cut *c, struct pause *p) {
    LLVMBasicBlockRef aside = ir_block(c->k->run, "yield.aside");
    p->on = ir_block(c->k->run, "yield.on");
    p->back = ir_block(c->k->run, "yield.back");
    LLVMValueRef rounds = LLVMBuildLoad2(c->b, LLVMInt32TypeInContext(c->k->llvm), c->patience, "");
    rounds = LLVMBuildAdd(c->b, rounds, ir_const32(c->k->llvm, 1), "");
    LLVMBuildStore(c->b, rounds, c->patience);
    LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntULT, rounds, ir_const32(c->k->llvm, PATIENCE), ""),
                    p->on, aside);
    LLVMPositionBuilderAtEnd(c->b, aside);
    LLVMValueRef state = ir_const32(c->k->llvm, LLVMGetNumSuccessors(c->places) - 1);
    LLVMAddCase(c->places, state, p->back);
    return state;
}

void yield_return(struct cut *c, struct pause *p) {
    LLVMBuildBr(c->b, c->packs.latch);
    LLVMPositionBuilderAtEnd(c->b, p->back);
    yield_be_patient(c);
}

void yield_end(struct cut *c, struct pause *p) {
    LLVMBuildBr(c->b, p->on);
    LLVMPositionBuilderAtEnd(c->b, p->on);
}
