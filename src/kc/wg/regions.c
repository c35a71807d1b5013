/* regions.c: cuts k->run at its barriers and runs each piece for all work-items in turn.
 *
 * Needs `queries`: everything inlined, barriers as calls of __weir_barrier. Gives: no barriers and no queries
 * of the work-item's place; k->run executes a whole work-group on one thread. Context sizes are in k.
 *
 * A region is the code reachable from a barrier (or from the kernel's entry) without crossing another one. It
 * holds whatever loops and branches lie between, so that work-items may take different numbers of iterations
 * from barrier to barrier. Each region is copied into a nest of loops over the work-items; the exit that they
 * take says which region is next.
 *
 * Where the exit of a region provably is the same for all work-items it is decided once, by a scalar branch.
 * Where it isn't, each work-item's state (the region it waits to enter, or DONE) is kept, every region after such
 * a point is guarded, and the lowest region that somebody waits for is next. In a legal program all items agree:
 * then a guarded region runs packs as any other does. Else its second form runs only those that wait for it, so
 * that an illegal program ends as well: at width 1 with every work-item on a path of its own that the source has.
 *
 * Values that cross a barrier live in the context, where each pack has all its values together (context.c); uniform ones
 * are scalars of the work-group, read once on a region's entry, so that an increment happens once per group. */
#include "lower.h"
#include "wg.h"
#include "width.h"
#include <string.h>

static bool is_barrier(LLVMValueRef i) {
    return ir_is_call_to(i, "__weir_barrier");
}

/* ---- preparing: the entry apart, barriers alone in their blocks ---- */

static void branch_at_end(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMBuilderRef b = ir_at_end(from);
    LLVMBuildBr(b, to);
    LLVMDisposeBuilder(b);
}

static void split_before(LLVMValueRef i, const char *name) {
    LLVMBasicBlockRef old = LLVMGetInstructionParent(i);
    branch_at_end(old, ir_split_before(i, name));
}

/* Variables first: what stands between them in the entry is code like any other. */
static LLVMValueRef gather_variables(LLVMValueRef run) {
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(run));
    while (LLVMIsAAllocaInst(first)) {
        first = LLVMGetNextInstruction(first);
    }
    LLVMBuilderRef b = ir_before(first);
    for (LLVMValueRef next, i = first; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAAllocaInst(i)) {
            LLVMInstructionRemoveFromParent(i);
            LLVMInsertIntoBuilderWithName(b, i, "");
        }
    }
    LLVMDisposeBuilder(b);
    return first;
}

static void isolate(LLVMValueRef call, const char *name) {
    split_before(call, name);
    split_before(LLVMGetNextInstruction(call), "after");
}

static void isolate_barriers(struct wg *wg) {
    struct list barriers = {0}, yields = {0};
    LLVMValueRef run = wg->k->run;
    yield_insert(wg->k);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(run); block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (is_barrier(i)) {
                list_add(&barriers, i);
            } else if (yield_is(i)) {
                list_add(&yields, i);
            }
        }
    }
    wg->nregions = (unsigned)barriers.n + 1;
    wg->regions = job_alloc(wg->nregions * sizeof *wg->regions);
    split_before(gather_variables(run), "body");
    for (size_t i = barriers.n; i-- > 0;) { /* the last one first: what lies behind it moves once */
        wg->regions[i + 1].barrier = barriers.at[i];
        isolate(barriers.at[i], "barrier");
    }
    wg->nyields = (unsigned)yields.n;
    for (size_t i = yields.n; i-- > 0;) {
        isolate(yields.at[i], "yield");
    }
}

/* An argument or a field of the launch: there whatever the kernel does. */
static bool is_argument(const struct wg *wg, LLVMValueRef load) {
    _Static_assert(LAUNCH_FIELD(args) == 0, "the argument block's address is the first field");
    LLVMValueRef base = ir_strip_offsets(LLVMGetOperand(load, 0));
    return LLVMIsAArgument(base) ||
           (LLVMIsALoadInst(base) && LLVMGetOperand(base, 0) == LLVMGetParam(wg->k->run, RUN_LAUNCH));
}

static bool is_hoistable(struct wg *wg, LLVMValueRef i, bool loads) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(wg->k->run);
    bool pure = (LLVMIsABinaryOperator(i) && !ir_is_division(i)) /* may trap */ || LLVMIsACastInst(i) ||
                LLVMIsAGetElementPtrInst(i) || LLVMIsASelectInst(i) || LLVMIsAICmpInst(i) ||
                ir_is_intrinsic(i, "llvm.umin.") ||
                (LLVMIsALoadInst(i) && kernel_is_invariant(i) && (loads || is_argument(wg, i)));
    for (int n = 0; pure && n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)n);
        pure = !LLVMIsAInstruction(v) || (LLVMGetInstructionParent(v) == entry && !LLVMIsAAllocaInst(v));
    }
    return pure;
}

/* Arguments, sizes and what is computed from them alone: once per group, in scalars that dominate all. */
static void hoist_group_values(struct wg *wg) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(wg->k->run), body = LLVMGetNextBasicBlock(entry);
    LLVMBuilderRef b = ir_before(LLVMGetBasicBlockTerminator(entry));
    for (LLVMBasicBlockRef block = body; block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_hoistable(wg, i, block == body)) {
                LLVMInstructionRemoveFromParent(i);
                LLVMInsertIntoBuilderWithName(b, i, "");
            }
        }
    }
    LLVMDisposeBuilder(b);
}

/* ---- finding regions ---- */

static LLVMValueRef terminator(const struct wg *wg, unsigned node) {
    return LLVMGetBasicBlockTerminator(wg->blocks[node]);
}

unsigned wg_region_after(const struct wg *wg, LLVMBasicBlockRef block) {
    return (unsigned)ptrmap_at(&wg->barrier_region, block, 0);
}

static void add_exit(struct region *r, unsigned to) {
    r->nexits += !r->is_exit[to];
    r->is_exit[to] = 1;
}

static void find_blocks(struct wg *wg, struct region *r) {
    unsigned char *seen = job_alloc(wg->cfg->n);
    r->is_exit = job_alloc(wg->nregions + 1);
    list_add(&r->blocks, (void *)(uintptr_t)r->start);
    seen[r->start] = 1;
    for (size_t i = 0; i < r->blocks.n; i++) {
        unsigned node = (unsigned)(uintptr_t)r->blocks.at[i];
        if (LLVMIsAReturnInst(terminator(wg, node))) {
            add_exit(r, wg->nregions);
        }
        for (unsigned s = 0; s < wg->cfg->nsucc[node]; s++) {
            unsigned to = wg->cfg->succ[node][s], after = wg_region_after(wg, wg->blocks[to]);
            if (after) {
                add_exit(r, after);
            } else if (!seen[to]) {
                seen[to] = 1;
                list_add(&r->blocks, (void *)(uintptr_t)to);
            }
        }
    }
}

static void find_stores(struct wg *wg, struct region *r) {
    r->stored = job_alloc((wg->slots.n / 64 + 1) * sizeof *r->stored);
    for (size_t i = 0; i < r->blocks.n; i++) {
        LLVMValueRef in = LLVMGetFirstInstruction(wg->blocks[(uintptr_t)r->blocks.at[i]]);
        for (; in; in = LLVMGetNextInstruction(in)) {
            struct slot *slot = LLVMIsAStoreInst(in) ? slots_of_access(&wg->slots, in) : NULL;
            if (slot) {
                bit_add(r->stored, (unsigned)(slot - wg->slots.at));
            }
        }
    }
}

struct graph *region_graph(struct wg *wg, const struct region *r) {
    unsigned nblocks = (unsigned)r->blocks.n;
    struct ptrmap local = {0};
    for (unsigned i = 0; i < nblocks; i++) {
        ptrmap_set(&local, wg->blocks[(uintptr_t)r->blocks.at[i]], i);
    }
    struct graph *g = graph_new(nblocks + wg->nregions + 1);
    for (unsigned i = 0; i < nblocks; i++) {
        unsigned node = (unsigned)(uintptr_t)r->blocks.at[i];
        for (unsigned s = 0; s < wg->cfg->nsucc[node]; s++) {
            LLVMBasicBlockRef to = wg->blocks[wg->cfg->succ[node][s]];
            unsigned after = wg_region_after(wg, to);
            graph_edge(g, i, after ? nblocks + after : (unsigned)ptrmap_at(&local, to, 0));
        }
        if (LLVMIsAReturnInst(terminator(wg, node))) {
            graph_edge(g, i, nblocks + wg->nregions);
        }
    }
    return g;
}

/* A branch of the region at which work-items may part and not meet again before they leave it, or NULL. */
static LLVMValueRef region_parts(struct wg *wg, struct region *r) {
    if (r->nexits < 2) {
        return NULL;
    }
    struct graph *g = region_graph(wg, r);
    unsigned *ipdom = graph_ipdom(g);
    for (unsigned i = 0; i < r->blocks.n; i++) {
        LLVMValueRef branch = terminator(wg, (unsigned)(uintptr_t)r->blocks.at[i]);
        if (ipdom[i] == g->n && !uniform_is(&wg->uniform, branch)) {
            return branch;
        }
    }
    return NULL;
}

static void guard(struct wg *wg, unsigned region) {
    struct region *r = &wg->regions[region];
    if (r->guarded) {
        return;
    }
    r->guarded = wg->any_guard = true;
    for (unsigned to = 1; to < wg->nregions; to++) {
        if (r->is_exit[to]) {
            guard(wg, to);
        }
    }
}

static void find_regions(struct wg *wg) {
    wg->cfg = cfg_of(wg->k->run, &wg->index, &wg->blocks);
    LLVMBasicBlockRef body = LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(wg->k->run));
    wg->regions[0].start = (unsigned)ptrmap_at(&wg->index, body, 0);
    for (unsigned r = 1; r < wg->nregions; r++) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(wg->regions[r].barrier);
        ptrmap_set(&wg->barrier_region, block, r);
        LLVMBasicBlockRef after = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), 0);
        wg->regions[r].start = (unsigned)ptrmap_at(&wg->index, after, 0);
    }
    for (unsigned r = 0; r < wg->nregions; r++) {
        find_blocks(wg, &wg->regions[r]);
    }
    for (unsigned r = 0; r < wg->nregions; r++) {
        wg->regions[r].parts = region_parts(wg, &wg->regions[r]);
        for (unsigned to = 1; wg->regions[r].parts && to < wg->nregions; to++) {
            if (wg->regions[r].is_exit[to]) {
                guard(wg, to);
            }
        }
    }
    yield_find(wg);
}

/* ---- what lives where ---- */

static void find_crossing(struct wg *wg) {
    for (unsigned r = 1; r < wg->nregions; r++) {
        const struct region *region = &wg->regions[r];
        for (unsigned s = 0; s < wg->slots.n; s++) {
            struct slot *slot = &wg->slots.at[s];
            if (bit_at(wg->slots.live_in[region->start], s) &&
                bit_at(wg->slots.touched_in[region->start], s)) {
                slot->crosses = true;
            }
            slot->crosses |= slot->escapes && wg->nregions > 1;
        }
        /* Items of a guarded region may come from different iterations: nothing is surely common. */
        for (unsigned s = 0; region->guarded && s < wg->slots.n; s++) {
            if (bit_at(wg->slots.live_in[region->start], s)) {
                wg->slots.at[s].uniform = false;
            }
        }
    }
}

/* ---- emitting ---- */

bool wg_keeps_state(const struct wg *wg, const struct region *from, unsigned to) {
    return from->guarded || from->parts || from->yields || (to < wg->nregions && wg->regions[to].guarded);
}

bool wg_is_whole(const struct wg *wg, const struct region *r) {
    bool whole = !r->guarded && !r->yields && !r->parts;
    for (unsigned to = 1; to <= wg->nregions; to++) {
        whole &= !r->is_exit[to] || !wg_keeps_state(wg, r, to);
    }
    return whole;
}

uint32_t wg_state(const struct wg *wg, unsigned to) {
    return to < wg->nregions ? wg->nyields + to : DONE;
}

/* Joins the lowest and the highest state of some work-items into what the group runs next. */
void wg_vote(struct wg *wg, LLVMValueRef low, LLVMValueRef high) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(wg->k->llvm);
    LLVMValueRef next = LLVMBuildLoad2(wg->b, i32, wg->next, ""),
                 last = LLVMBuildLoad2(wg->b, i32, wg->last, "");
    LLVMValueRef is_lower = LLVMBuildICmp(wg->b, LLVMIntULT, low, next, "");
    LLVMValueRef is_higher = LLVMBuildICmp(wg->b, LLVMIntUGT, high, last, "");
    LLVMBuildStore(wg->b, LLVMBuildSelect(wg->b, is_lower, low, next, ""), wg->next);
    LLVMBuildStore(wg->b, LLVMBuildSelect(wg->b, is_higher, high, last, ""), wg->last);
}

enum memory_kind wg_kind(LLVMValueRef access) {
    LLVMValueRef p = ir_address(access);
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(p))) {
    case AS_GLOBAL:
    case AS_CONSTANT:
        return MEMORY_GLOBAL;
    case AS_LOCAL:
        return MEMORY_LOCAL;
    default:
        return MEMORY_OTHER;
    }
}

LLVMValueRef wg_item_id(struct wg *wg, LLVMValueRef call, LLVMTypeRef type) {
    unsigned d = 0;
    bool is_global = intrinsic_id(call, &d) == ID_GLOBAL;
    LLVMValueRef id = wg->loops.local_id[d];
    if (is_global) {
        id = LLVMBuildNUWAdd(wg->b, wg->global_base[d], id, "");
    }
    if (LLVMTypeOf(id) != type) {
        id = LLVMBuildTrunc(wg->b, id, type, "");
        LLVMSetNUW(id, 1);
        LLVMSetNSW(id, 1);
    }
    return id;
}

LLVMValueRef wg_runs(struct wg *wg, const struct region *r, LLVMValueRef states, bool apart) {
    LLVMTypeRef type = LLVMTypeOf(states);
    LLVMValueRef here = ir_number(type, wg_state(wg, (unsigned)(r - wg->regions)));
    LLVMValueRef waits = LLVMBuildICmp(wg->b, LLVMIntEQ, states, here, "");
    if (!r->yields) {
        return waits;
    }
    LLVMValueRef yields = LLVMBuildICmp(wg->b, LLVMIntULT, states, ir_number(type, wg->nyields), "");
    return apart ? LLVMBuildSelect(wg->b, yield_resuming(wg), yields, waits, "") : yields;
}

/* In a checked kernel: have all work-items come to the same barrier, if that isn't known, and what does it order? Comes back
 * only if so. */
static void emit_meeting(struct wg *wg, const struct region *r) {
    LLVMContextRef c = wg->k->llvm;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, AS_PRIVATE), i64 = LLVMInt64TypeInContext(c);
    LLVMTypeRef params[] = {pointer, i64};
    LLVMValueRef check = kernel_field(wg->k, wg->b, RUN_WORKER, WORKER_FIELD(check), pointer, "check");
    size_t field = r->alike ? offsetof(struct weir_check, pass) : offsetof(struct weir_check, meet);
    LLVMValueRef at = ir_offset(wg->b, check, ir_const64(c, field), ""), *size = wg->loops.size;
    LLVMValueRef meet = LLVMBuildLoad2(wg->b, pointer, at, r->alike ? "pass" : "meet"), what;
    if (r->alike) {
        what = ir_const64(c, LLVMConstIntGetZExtValue(r->alike));
    } else {
        what = LLVMBuildMul(wg->b, LLVMBuildMul(wg->b, size[0], size[1], ""), size[2], "items");
    }
    LLVMValueRef args[] = {LLVMGetParam(wg->k->run, RUN_WORKER), what};
    LLVMBuildCall2(wg->b, LLVMFunctionType(LLVMVoidTypeInContext(c), params, 2, 0), meet, args, 2, "");
}

static void emit_next(struct wg *wg, struct region *r) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(wg->k->llvm);
    bool anywhere = r->guarded || r->parts; /* somebody may wait at any guarded region */
    if (!anywhere && r->nexits < 2) {
        unsigned to = 1;
        while (to <= wg->nregions && !r->is_exit[to]) {
            to++;
        }
        if (to > wg->nregions) { /* endless without a barrier */
            LLVMBuildUnreachable(wg->b);
        } else {
            LLVMBuildBr(wg->b, to < wg->nregions ? wg->regions[to].block : wg->end);
        }
        return;
    }
    LLVMValueRef next = LLVMBuildLoad2(wg->b, i32, wg->next, "next");
    LLVMValueRef choice = LLVMBuildSwitch(wg->b, next, wg->end, r->nexits);
    for (unsigned to = 1; to < wg->nregions; to++) {
        if (r->is_exit[to] || (anywhere && wg->regions[to].guarded)) {
            LLVMAddCase(choice, ir_const32(wg->k->llvm, wg_state(wg, to)), wg->regions[to].block);
        }
    }
}

/* A region whose work-items run one by one, in a kernel of packs. */
static void emit_alone(struct wg *wg, struct region *r, LLVMValueRef *snapshots) {
    struct kernel *k = wg->k;
    uint32_t width = k->width, rows = k->rows;
    k->width = k->rows = 1;
    loop_bounds_begin(wg, r);
    item_loops_begin(&wg->loops, job_printf("region%u.alone", (unsigned)(r - wg->regions)));
    scalar_region(wg, r, snapshots, false);
    item_loops_end(&wg->loops);
    k->width = width;
    k->rows = rows;
}

/* The region for all packs; `apart`: only for the work-items that wait for it. */
static void emit_loop(struct wg *wg, struct region *r, LLVMValueRef *snapshots, bool apart) {
    unsigned index = (unsigned)(r - wg->regions);
    if (r->alone) {
        emit_alone(wg, r, snapshots);
        return;
    }
    LLVMBasicBlockRef round = r->yields ? yield_rounds_begin(wg) : NULL;
    loop_bounds_begin(wg, r);
    totals_begin(wg, r);
    item_loops_begin(&wg->loops, job_printf(apart ? "region%u.apart" : "region%u", index));
    if (wg->pack) {
        vector_region(wg, r, snapshots, apart);
    } else {
        scalar_region(wg, r, snapshots, apart);
    }
    item_loops_end(&wg->loops);
    totals_end(wg, r);
    if (round) {
        yield_rounds_end(wg, round);
    }
}

/* Both forms of a guarded region: the first for when all work-items wait for it, as they do in legal programs. */
static void emit_guarded(struct wg *wg, struct region *r, LLVMValueRef *snapshots, LLVMValueRef agree) {
    LLVMBasicBlockRef together = ir_block(wg->k->run, "together"), apart = ir_block(wg->k->run, "apart"),
                      after = ir_block(wg->k->run, "after");
    LLVMBuildCondBr(wg->b, agree, together, apart);
    LLVMPositionBuilderAtEnd(wg->b, together);
    emit_loop(wg, r, snapshots, false);
    LLVMBuildBr(wg->b, after);
    LLVMPositionBuilderAtEnd(wg->b, apart);
    emit_loop(wg, r, snapshots, true);
    LLVMBuildBr(wg->b, after);
    LLVMPositionBuilderAtEnd(wg->b, after);
}

static void emit_region(struct wg *wg, unsigned index) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(wg->k->llvm);
    struct region *r = &wg->regions[index];
    LLVMValueRef *snapshots = job_alloc((wg->slots.n + 1) * sizeof *snapshots);
    LLVMPositionBuilderAtEnd(wg->b, r->block);
    if (r->barrier) {
        fence_emit_barrier(wg->b, LLVMGetOperand(r->barrier, 0), LLVMGetOperand(r->barrier, 1),
                           LLVMAtomicOrderingAcquireRelease, wg->synchronizes);
    }
    if (r->barrier && wg->k->checked) {
        emit_meeting(wg, r);
    }
    LLVMValueRef next = LLVMBuildLoad2(wg->b, i32, wg->next, ""),
                 last = LLVMBuildLoad2(wg->b, i32, wg->last, "");
    LLVMBuildStore(wg->b, ir_const32(wg->k->llvm, DONE), wg->next);
    LLVMBuildStore(wg->b, ir_const32(wg->k->llvm, 0), wg->last);
    for (unsigned s = 0; r->barrier && s < wg->slots.n; s++) {
        struct slot *slot = &wg->slots.at[s];
        if (slot->shared && bit_at(wg->slots.live_in[r->start], s)) {
            snapshots[s] = LLVMBuildLoad2(wg->b, slot->type, slot->shared, "");
        }
    }
    if (!r->guarded) {
        emit_loop(wg, r, snapshots, false);
    } else if (!wg->pack) {
        emit_loop(wg, r, snapshots, true);
    } else {
        emit_guarded(wg, r, snapshots, LLVMBuildICmp(wg->b, LLVMIntEQ, next, last, "agree"));
    }
    emit_next(wg, r);
}

/* Global id of the group's first work-item, per dimension. */
static void find_global_bases(struct wg *wg) {
    for (unsigned d = 0; d < 3; d++) {
        wg->global_base[kernel_axis(wg->k, d)] = kernel_first_id(wg->k, wg->b, d);
    }
}

static void emit(struct wg *wg) {
    LLVMContextRef llvm = wg->k->llvm;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(wg->k->run);
    LLVMBuilderRef allocas = ir_at_entry(wg->k->run);
    wg->next = LLVMBuildAlloca(allocas, LLVMInt32TypeInContext(llvm), "next");
    wg->last = LLVMBuildAlloca(allocas, LLVMInt32TypeInContext(llvm), "last");
    wg->patience = LLVMBuildAlloca(allocas, LLVMInt32TypeInContext(llvm), "patience");
    wg->resuming = LLVMBuildAlloca(allocas, LLVMInt1TypeInContext(llvm), "resuming");
    for (unsigned s = 0; s < wg->slots.n; s++) {
        struct slot *slot = &wg->slots.at[s];
        if (slot->crosses && slot->uniform) {
            slot->shared = LLVMBuildAlloca(allocas, slot->type, "shared");
        }
    }
    LLVMDisposeBuilder(allocas);
    context_declare(wg);
    shown_declare(wg);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(entry));
    wg->b = ir_at_end(entry);
    item_loops_sizes(wg->k, wg->b, &wg->loops);
    context_begin(wg);
    find_global_bases(wg);
    memory_facts(wg->k, &wg->facts);
    wg->k->context_scope = wg->facts.scope[MEMORY_CONTEXT];
    for (unsigned r = 0; r < wg->nregions; r++) {
        wg->regions[r].block = ir_block(wg->k->run, job_printf("region%u", r));
    }
    wg->end = ir_block(wg->k->run, "end");
    LLVMBuildBr(wg->b, wg->regions[0].block);
    for (unsigned r = 0; r < wg->nregions; r++) {
        emit_region(wg, r);
    }
    LLVMPositionBuilderAtEnd(wg->b, wg->end);
    LLVMBuildRetVoid(wg->b);
    LLVMDisposeBuilder(wg->b);
}

/* The code that regions were copied from is unreachable now: the next clean-up drops it, barriers with it. */
static void drop_convergence(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        ir_remove_attribute(f, (unsigned)LLVMAttributeFunctionIndex, "convergent");
        unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);
        for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
            if (LLVMIsACallInst(LLVMGetUser(u)) && ir_callee(LLVMGetUser(u)) == f) {
                LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(u), (unsigned)LLVMAttributeFunctionIndex, kind);
            }
        }
    }
}

/* What is known of packs of the current width: uniformity, and where lanes part. */
void wg_know_packs(struct wg *wg) {
    if (wg->k->width == 1) {
        wg->pack = NULL;
        wg->masked = NULL;
        return;
    }
    wg->pack = job_alloc(sizeof *wg->pack);
    *wg->pack = (struct uniform){.of_pack = true, .width = wg->k->width, .rows = wg->k->rows};
    uniform_run(wg->k, wg->pack);
    if (wg->k->rows > 1) {
        wg->pack->row = job_alloc(sizeof *wg->pack->row);
        *wg->pack->row = (struct uniform){.of_pack = true, .width = wg->k->width / wg->k->rows, .rows = 1};
        uniform_run(wg->k, wg->pack->row);
    }
    linearize_regions(wg);
}

/* The same of the group and of packs, after instructions have changed. */
static void know_again(struct wg *wg) {
    wg->uniform = (struct uniform){.of_pack = false};
    uniform_run(wg->k, &wg->uniform);
    wg_know_packs(wg);
}

void regions_pass(struct kernel *k) {
    struct wg *wg = job_alloc(sizeof *wg);
    wg->k = k;
    k->rows = 1;
    stay_resolve(k);
    bool is_free = width_settle(k);
    wg->synchronizes = spin_loops_observe(k);
    /* In a free one no loop waits. The checker tells what an earlier work-group left in local memory by its number. */
    k->any_order = !k->checked && (is_free || !wg->synchronizes);
    shown_find(wg);
    isolate_barriers(wg);
    hoist_group_values(wg);
    uniform_run(k, &wg->uniform);
    find_regions(wg);
    arrivals_settle(wg);
    width_decide(wg, is_free);
    if (k->keeps_vectors) {
        return;
    }
    if (wg->pack && tuples_make(wg)) {
        know_again(wg);
    }
    if (wg->pack && deal_elements(wg)) {
        know_again(wg);
    }
    if (wg->pack && counters_make(wg)) {
        know_again(wg);
    }
    loop_bounds_conditions(wg);
    alone_estimate(wg);
    check_values(wg);
    print_analysis_values(wg);
    if (wg->pack) {
        chosen_find(k, wg->pack);
        near_find(k, &wg->near);
    }
    slots_demote(k, &wg->uniform, wg->pack, &wg->slots);
    if (wg->pack) {
        contiguity_slots(wg);
        contiguity_limit(wg);
        checks_choose(wg);
    }
    if (wg->nregions > 1 || wg->nyields) {
        slots_liveness(k, &wg->slots, wg->cfg, &wg->index, wg->blocks);
        find_crossing(wg);
        slots_coalesce(&wg->slots, wg->cfg, wg->blocks, wg->masked);
    }
    for (unsigned r = 0; r < wg->nregions; r++) {
        find_stores(wg, &wg->regions[r]);
    }
    if (wg->nyields) {
        yield_crossing(wg);
    }
    for (unsigned r = 0; r < wg->nregions; r++) {
        loop_bounds_find(wg, &wg->regions[r]);
        alone_choose(wg, &wg->regions[r]);
    }
    context_lay_out(wg);
    report_regions(wg);
    print_analysis_slots(wg);
    check_slots(wg);
    emit(wg);
    drop_convergence(k);
    context_pad_functions(k);
    k->private_bytes = k->context_per_item > k->private_bytes ? k->context_per_item : k->private_bytes;
}
