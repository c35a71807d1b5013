/* regions.c: cuts k->run at its barriers and runs each piece for all work-items in turn.
 *
 * Needs `builtin`: everything inlined, barriers as calls of __weir_barrier. Gives: no barriers and no queries
 * of the work-item's place; k->run executes a whole work-group on one thread. Context sizes are in k.
 *
 * A region is the code reachable from a barrier (or from the kernel's entry) without crossing another one. It
 * holds whatever loops and branches lie between, so that work-items may take different numbers of iterations
 * from barrier to barrier. Each region is copied into a nest of loops over the work-items; the exit that they
 * take says which region is next.
 *
 * Where the exit of a region provably is the same for all work-items it is decided once, by a scalar branch.
 * Where it isn't, each work-item's state (the region it waits to enter, or DONE) is kept, every region behind such
 * a point is guarded, and the lowest region that somebody waits for is next. In a legal program all items agree:
 * then a guarded region runs packs as any other does. Else its second form runs only those that wait for it, so
 * that an illegal program ends as well: at width 1 with every work-item on a path of its own that the source has.
 *
 * Values that cross a barrier live in the context, an array per value indexed by the work-item; uniform ones
 * are scalars of the work-group, read once on a region's entry, so that an increment happens once per group. */
#include "vector.h"
#include <string.h>

enum { STACK_VARIABLE = 16 * 1024, STACK_TOTAL = 256 * 1024 };

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
    split_before(LLVMGetNextInstruction(call), "behind");
}

static void isolate_barriers(struct cut *c) {
    struct list barriers = {0}, yields = {0};
    LLVMValueRef run = c->k->run;
    yield_insert(c->k);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(run); block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (is_barrier(i)) {
                list_add(&barriers, i);
            } else if (yield_is(i)) {
                list_add(&yields, i);
            }
        }
    }
    c->nregions = (unsigned)barriers.n + 1;
    c->regions = job_alloc(c->nregions * sizeof *c->regions);
    split_before(gather_variables(run), "body");
    for (size_t i = 0; i < barriers.n; i++) {
        c->regions[i + 1].barrier = barriers.at[i];
        isolate(barriers.at[i], "barrier");
    }
    c->nyields = (unsigned)yields.n;
    for (size_t i = 0; i < yields.n; i++) {
        isolate(yields.at[i], "yield");
    }
}

static LLVMValueRef strip_offsets(LLVMValueRef p) {
    while (LLVMIsAGetElementPtrInst(p)) {
        p = LLVMGetOperand(p, 0);
    }
    return p;
}

/* An argument or a field of the launch: there whatever the kernel does. */
static bool is_argument(const struct cut *c, LLVMValueRef load) {
    _Static_assert(LAUNCH_FIELD(args) == 0, "the argument block's address is the first field");
    LLVMValueRef base = strip_offsets(LLVMGetOperand(load, 0));
    return LLVMIsAArgument(base) ||
           (LLVMIsALoadInst(base) && LLVMGetOperand(base, 0) == LLVMGetParam(c->k->run, RUN_LAUNCH));
}

static bool is_hoistable(struct cut *c, LLVMValueRef i, bool loads) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(c->k->run);
    unsigned invariant = LLVMGetMDKindIDInContext(c->k->llvm, "invariant.load", 14);
    bool pure = LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsAGetElementPtrInst(i) ||
                LLVMIsASelectInst(i) || LLVMIsAICmpInst(i) || ir_is_intrinsic(i, "llvm.umin.") ||
                (LLVMIsALoadInst(i) && LLVMGetMetadata(i, invariant) && (loads || is_argument(c, i)));
    switch (LLVMGetInstructionOpcode(i)) { /* may trap */
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return false;
    default:
        break;
    }
    for (int n = 0; pure && n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)n);
        pure = !LLVMIsAInstruction(v) || (LLVMGetInstructionParent(v) == entry && !LLVMIsAAllocaInst(v));
    }
    return pure;
}

/* Arguments, sizes and what is computed from them alone: once per group, in scalars that dominate all. */
static void hoist_group_values(struct cut *c) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(c->k->run), body = LLVMGetNextBasicBlock(entry);
    LLVMBuilderRef b = ir_before(LLVMGetBasicBlockTerminator(entry));
    for (LLVMBasicBlockRef block = body; block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_hoistable(c, i, block == body)) {
                LLVMInstructionRemoveFromParent(i);
                LLVMInsertIntoBuilderWithName(b, i, "");
            }
        }
    }
    LLVMDisposeBuilder(b);
}

/* ---- finding regions ---- */

static LLVMValueRef terminator(const struct cut *c, unsigned node) {
    return LLVMGetBasicBlockTerminator(c->blocks[node]);
}

unsigned cut_region_behind(const struct cut *c, LLVMBasicBlockRef block) {
    return (unsigned)ptrmap_at(&c->barrier_region, block, 0);
}

static void add_exit(struct region *r, unsigned to) {
    r->nexits += !r->is_exit[to];
    r->is_exit[to] = 1;
}

static void find_blocks(struct cut *c, struct region *r) {
    unsigned char *seen = job_alloc(c->cfg->n);
    r->is_exit = job_alloc(c->nregions + 1);
    list_add(&r->blocks, (void *)(uintptr_t)r->start);
    seen[r->start] = 1;
    for (size_t i = 0; i < r->blocks.n; i++) {
        unsigned node = (unsigned)(uintptr_t)r->blocks.at[i];
        if (LLVMIsAReturnInst(terminator(c, node))) {
            add_exit(r, c->nregions);
        }
        for (unsigned s = 0; s < c->cfg->nsucc[node]; s++) {
            unsigned to = c->cfg->succ[node][s], behind = cut_region_behind(c, c->blocks[to]);
            if (behind) {
                add_exit(r, behind);
            } else if (!seen[to]) {
                seen[to] = 1;
                list_add(&r->blocks, (void *)(uintptr_t)to);
            }
        }
    }
}

static void find_stores(struct cut *c, struct region *r) {
    r->stored = job_alloc((c->slots.n / 64 + 1) * sizeof *r->stored);
    for (size_t i = 0; i < r->blocks.n; i++) {
        LLVMValueRef in = LLVMGetFirstInstruction(c->blocks[(uintptr_t)r->blocks.at[i]]);
        for (; in; in = LLVMGetNextInstruction(in)) {
            struct slot *slot = LLVMIsAStoreInst(in) ? slots_of_access(&c->slots, in) : NULL;
            if (slot) {
                bit_add(r->stored, (unsigned)(slot - c->slots.at));
            }
        }
    }
}

struct graph *region_graph(struct cut *c, const struct region *r) {
    unsigned nblocks = (unsigned)r->blocks.n;
    struct ptrmap local = {0};
    for (unsigned i = 0; i < nblocks; i++) {
        ptrmap_set(&local, c->blocks[(uintptr_t)r->blocks.at[i]], i);
    }
    struct graph *g = graph_new(nblocks + c->nregions + 1);
    for (unsigned i = 0; i < nblocks; i++) {
        unsigned node = (unsigned)(uintptr_t)r->blocks.at[i];
        for (unsigned s = 0; s < c->cfg->nsucc[node]; s++) {
            LLVMBasicBlockRef to = c->blocks[c->cfg->succ[node][s]];
            unsigned behind = cut_region_behind(c, to);
            graph_edge(g, i, behind ? nblocks + behind : (unsigned)ptrmap_at(&local, to, 0));
        }
        if (LLVMIsAReturnInst(terminator(c, node))) {
            graph_edge(g, i, nblocks + c->nregions);
        }
    }
    return g;
}

/* A branch of the region at which work-items may part and not meet again before they leave it, or NULL. */
static LLVMValueRef region_parts(struct cut *c, struct region *r) {
    if (r->nexits < 2) {
        return NULL;
    }
    struct graph *g = region_graph(c, r);
    unsigned *ipdom = graph_ipdom(g);
    for (unsigned i = 0; i < r->blocks.n; i++) {
        LLVMValueRef branch = terminator(c, (unsigned)(uintptr_t)r->blocks.at[i]);
        if (ipdom[i] == g->n && !uniform_is(&c->uniform, branch)) {
            return branch;
        }
    }
    return NULL;
}

static void guard(struct cut *c, unsigned region) {
    struct region *r = &c->regions[region];
    if (r->guarded) {
        return;
    }
    r->guarded = c->any_guard = true;
    for (unsigned to = 1; to < c->nregions; to++) {
        if (r->is_exit[to]) {
            guard(c, to);
        }
    }
}

static void find_regions(struct cut *c) {
    c->cfg = cfg_of(c->k->run, &c->index, &c->blocks);
    LLVMBasicBlockRef body = LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(c->k->run));
    c->regions[0].start = (unsigned)ptrmap_at(&c->index, body, 0);
    for (unsigned r = 1; r < c->nregions; r++) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(c->regions[r].barrier);
        ptrmap_set(&c->barrier_region, block, r);
        LLVMBasicBlockRef behind = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), 0);
        c->regions[r].start = (unsigned)ptrmap_at(&c->index, behind, 0);
    }
    for (unsigned r = 0; r < c->nregions; r++) {
        find_blocks(c, &c->regions[r]);
    }
    for (unsigned r = 0; r < c->nregions; r++) {
        c->regions[r].parts = region_parts(c, &c->regions[r]);
        for (unsigned to = 1; c->regions[r].parts && to < c->nregions; to++) {
            if (c->regions[r].is_exit[to]) {
                guard(c, to);
            }
        }
    }
    yield_find(c);
}

/* ---- what lives where ---- */

static void find_crossing(struct cut *c) {
    for (unsigned r = 1; r < c->nregions; r++) {
        const struct region *region = &c->regions[r];
        for (unsigned s = 0; s < c->slots.n; s++) {
            struct slot *slot = &c->slots.at[s];
            if (bit_at(c->slots.live_in[region->start], s) && bit_at(c->slots.touched_in[region->start], s)) {
                slot->crosses = true;
            }
            slot->crosses |= slot->escapes && c->nregions > 1;
        }
        /* Items of a guarded region may come from different iterations: nothing is surely common. */
        for (unsigned s = 0; region->guarded && s < c->slots.n; s++) {
            if (bit_at(c->slots.live_in[region->start], s)) {
                c->slots.at[s].uniform = false;
            }
        }
    }
}

unsigned cut_alignment(uint64_t bytes) {
    unsigned align = 1;
    while (align < 128 && bytes % (align * 2) == 0) {
        align *= 2;
    }
    return align;
}

/* In the context each pack has all its values together, the most aligned first: of each value a lane's beside the next
 * one's. Packs at a row's end have room for all their lanes, too. Then comes the state of the guards. */
static void lay_out(struct cut *c) {
    uint64_t stack = 0, most = 1;
    for (uint64_t align = 128; align; align /= 2) {
        for (unsigned s = 0; s < c->slots.n; s++) {
            struct slot *slot = &c->slots.at[s];
            if (!slot->crosses || slot->uniform || cut_alignment(slot->bytes) != align) {
                continue;
            }
            slot->offset = c->k->context_per_item;
            c->k->context_per_item += slot->bytes;
            most = align > most ? align : most;
        }
        if (align == 4 && (c->any_guard || c->nyields)) {
            c->state_offset = c->k->context_per_item;
            c->k->context_per_item += 4;
        }
    }
    c->masks_offset = c->k->context_per_item;
    c->k->context_per_item += yield_mask_bytes(c);
    most = most > c->k->width ? most / c->k->width : 1; /* so that packs are aligned, too */
    c->k->context_per_item = (c->k->context_per_item + most - 1) / most * most;
    for (unsigned s = 0; s < c->slots.n; s++) {
        struct slot *slot = &c->slots.at[s];
        if (slot->is_array && !slot->crosses) {
            slot->fixed = slot->bytes > STACK_VARIABLE || stack + slot->bytes * c->k->width > STACK_TOTAL;
            stack += slot->fixed ? 0 : slot->bytes * c->k->width;
            slot->offset = slot->fixed ? c->k->context_fixed : 0;
            c->k->context_fixed += slot->fixed ? (slot->bytes * c->k->width + 127) & ~(uint64_t)127 : 0;
        }
    }
}

/* ---- emitting ---- */

LLVMValueRef cut_context_address(struct cut *c, uint64_t offset, const char *name) {
    uint64_t in_pack = c->k->context_fixed + offset * c->k->width;
    LLVMValueRef base = ir_offset(c->b, c->context, ir_const64(c->k->llvm, in_pack), "");
    LLVMValueRef bytes = ir_const64(c->k->llvm, c->k->context_per_item);
    return ir_offset(c->b, base, LLVMBuildNUWMul(c->b, c->packs.place, bytes, ""), name);
}

LLVMValueRef cut_slot_address(struct cut *c, const struct slot *slot) {
    size_t n;
    return cut_context_address(c, slot->offset, job_printf("%s.ctx", LLVMGetValueName2(slot->var, &n)));
}

bool cut_keeps_state(const struct cut *c, const struct region *from, unsigned to) {
    return from->guarded || from->parts || from->yields || (to < c->nregions && c->regions[to].guarded);
}

uint32_t cut_state(const struct cut *c, unsigned to) {
    return to < c->nregions ? c->nyields + to : DONE;
}

/* Joins the lowest and the highest state of some work-items into what the group runs next. */
void cut_vote(struct cut *c, LLVMValueRef low, LLVMValueRef high) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c->k->llvm);
    LLVMValueRef next = LLVMBuildLoad2(c->b, i32, c->next, ""), last = LLVMBuildLoad2(c->b, i32, c->last, "");
    LLVMValueRef is_lower = LLVMBuildICmp(c->b, LLVMIntULT, low, next, "");
    LLVMValueRef is_higher = LLVMBuildICmp(c->b, LLVMIntUGT, high, last, "");
    LLVMBuildStore(c->b, LLVMBuildSelect(c->b, is_lower, low, next, ""), c->next);
    LLVMBuildStore(c->b, LLVMBuildSelect(c->b, is_higher, high, last, ""), c->last);
}

enum memory_kind cut_kind(LLVMValueRef access) {
    LLVMValueRef p = LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
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

LLVMValueRef cut_item_id(struct cut *c, LLVMValueRef call, LLVMTypeRef type) {
    unsigned d = 0;
    bool is_global = builtin_id(call, &d) == ID_GLOBAL;
    LLVMValueRef id = c->packs.local_id[d];
    if (is_global) {
        id = LLVMBuildNUWAdd(c->b, c->global_base[d], id, "");
    }
    if (LLVMTypeOf(id) != type) {
        id = LLVMBuildTrunc(c->b, id, type, "");
        LLVMSetNUW(id, 1);
        LLVMSetNSW(id, 1);
    }
    return id;
}

/* Barrier semantics: accesses before it happen before those behind it (3.3.6). One thread runs the group, and the
 * regions' code is in order, so inside the group that takes nothing. In what other groups may see of global memory a
 * compiler fence keeps to the order; wider scopes take the memory model's fences. */
static void emit_fence(struct cut *c, LLVMValueRef barrier) {
    LLVMValueRef flags = LLVMGetOperand(barrier, 0), scope = LLVMGetOperand(barrier, 1);
    bool wide = !LLVMIsAConstantInt(scope) ||
                (LLVMConstIntGetZExtValue(scope) >= 2 && LLVMConstIntGetZExtValue(scope) != 4);
    bool only_local = LLVMIsAConstantInt(flags) &&
                      !(LLVMConstIntGetZExtValue(flags) & (WEIR_FENCE_GLOBAL | WEIR_FENCE_IMAGE));
    if (!only_local && (wide || c->synchronizes)) {
        LLVMBuildFence(c->b, LLVMAtomicOrderingAcquireRelease, !wide, "");
    }
}

LLVMValueRef cut_number(LLVMTypeRef type, uint32_t n) {
    LLVMValueRef parts[64];
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
        return LLVMConstInt(type, n, 0);
    }
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
        parts[i] = LLVMConstInt(LLVMGetElementType(type), n, 0);
    }
    return LLVMConstVector(parts, LLVMGetVectorSize(type));
}

LLVMValueRef cut_runs(struct cut *c, const struct region *r, LLVMValueRef states, bool apart) {
    LLVMTypeRef type = LLVMTypeOf(states);
    LLVMValueRef here = cut_number(type, cut_state(c, (unsigned)(r - c->regions)));
    LLVMValueRef waits = LLVMBuildICmp(c->b, LLVMIntEQ, states, here, "");
    if (!r->yields) {
        return waits;
    }
    LLVMValueRef yields = LLVMBuildICmp(c->b, LLVMIntULT, states, cut_number(type, c->nyields), "");
    return apart ? LLVMBuildSelect(c->b, yield_resuming(c), yields, waits, "") : yields;
}

static void emit_next(struct cut *c, struct region *r) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c->k->llvm);
    bool anywhere = r->guarded || r->parts; /* somebody may wait at any guarded region */
    if (!anywhere && r->nexits < 2) {
        unsigned to = 1;
        while (to <= c->nregions && !r->is_exit[to]) {
            to++;
        }
        if (to > c->nregions) { /* endless without a barrier */
            LLVMBuildUnreachable(c->b);
        } else {
            LLVMBuildBr(c->b, to < c->nregions ? c->regions[to].block : c->end);
        }
        return;
    }
    LLVMValueRef next = LLVMBuildLoad2(c->b, i32, c->next, "next");
    LLVMValueRef choice = LLVMBuildSwitch(c->b, next, c->end, r->nexits);
    for (unsigned to = 1; to < c->nregions; to++) {
        if (r->is_exit[to] || (anywhere && c->regions[to].guarded)) {
            LLVMAddCase(choice, ir_const32(c->k->llvm, cut_state(c, to)), c->regions[to].block);
        }
    }
}

/* The region for all packs; `apart`: only for the work-items that wait for it. */
static void emit_loop(struct cut *c, struct region *r, LLVMValueRef *snapshots, bool apart) {
    unsigned index = (unsigned)(r - c->regions);
    LLVMBasicBlockRef round = r->yields ? yield_rounds_begin(c) : NULL;
    bound_begin(c, r);
    packs_begin(&c->packs, job_printf(apart ? "region%u.apart" : "region%u", index));
    if (c->pack) {
        vector_region(c, r, snapshots, apart);
    } else {
        item_region(c, r, snapshots, apart);
    }
    packs_end(&c->packs);
    if (round) {
        yield_rounds_end(c, round);
    }
}

/* Both forms of a guarded region: the first for when all work-items wait for it, as they do in legal programs. */
static void emit_guarded(struct cut *c, struct region *r, LLVMValueRef *snapshots, LLVMValueRef agree) {
    LLVMBasicBlockRef together = ir_block(c->k->run, "together"), apart = ir_block(c->k->run, "apart"),
                      behind = ir_block(c->k->run, "behind");
    LLVMBuildCondBr(c->b, agree, together, apart);
    LLVMPositionBuilderAtEnd(c->b, together);
    emit_loop(c, r, snapshots, false);
    LLVMBuildBr(c->b, behind);
    LLVMPositionBuilderAtEnd(c->b, apart);
    emit_loop(c, r, snapshots, true);
    LLVMBuildBr(c->b, behind);
    LLVMPositionBuilderAtEnd(c->b, behind);
}

static void emit_region(struct cut *c, unsigned index) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c->k->llvm);
    struct region *r = &c->regions[index];
    LLVMValueRef *snapshots = job_alloc((c->slots.n + 1) * sizeof *snapshots);
    LLVMPositionBuilderAtEnd(c->b, r->block);
    if (r->barrier) {
        emit_fence(c, r->barrier);
    }
    LLVMValueRef next = LLVMBuildLoad2(c->b, i32, c->next, ""), last = LLVMBuildLoad2(c->b, i32, c->last, "");
    LLVMBuildStore(c->b, ir_const32(c->k->llvm, DONE), c->next);
    LLVMBuildStore(c->b, ir_const32(c->k->llvm, 0), c->last);
    for (unsigned s = 0; r->barrier && s < c->slots.n; s++) {
        struct slot *slot = &c->slots.at[s];
        if (slot->shared && bit_at(c->slots.live_in[r->start], s)) {
            snapshots[s] = LLVMBuildLoad2(c->b, slot->type, slot->shared, "");
        }
    }
    if (!r->guarded) {
        emit_loop(c, r, snapshots, false);
    } else if (!c->pack) {
        emit_loop(c, r, snapshots, true);
    } else {
        emit_guarded(c, r, snapshots, LLVMBuildICmp(c->b, LLVMIntEQ, next, last, "agree"));
    }
    emit_next(c, r);
}

/* Global id of the group's first work-item, per dimension. */
static void find_global_bases(struct cut *c) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c->k->llvm);
    for (unsigned d = 0; d < 3; d++) {
        unsigned step = d * (unsigned)sizeof(uint64_t);
        LLVMValueRef size = kernel_field(c->k, c->b, RUN_LAUNCH, LAUNCH_FIELD(local_size) + step, i64, "");
        LLVMValueRef offset =
            kernel_field(c->k, c->b, RUN_LAUNCH, LAUNCH_FIELD(global_offset) + step, i64, "");
        LLVMValueRef group = LLVMBuildNUWMul(c->b, LLVMGetParam(c->k->run, RUN_GROUP + d), size, "");
        c->global_base[d] = LLVMBuildNUWAdd(c->b, group, offset, "");
    }
}

/* A small context of a group of known size, as a variable, which LLVM may keep in registers; else NULL. */
static LLVMValueRef small_context(struct cut *c) {
    enum { SMALL = 4096, ALIGNMENT = 128 };
    const struct kernel *k = c->k;
    uint64_t row = (k->local_size[0] + k->width - 1) / k->width * k->width;
    uint64_t items = row * k->local_size[1] * k->local_size[2];
    uint64_t bytes = k->context_fixed + k->context_per_item * items;
    c->k->context_is_small = items && bytes <= SMALL;
    if (!c->k->context_is_small) {
        return NULL;
    }
    LLVMBuilderRef b = ir_at_entry(k->run);
    LLVMValueRef var = LLVMBuildAlloca(b, LLVMArrayType2(LLVMInt8TypeInContext(k->llvm), bytes), "context");
    LLVMSetAlignment(var, ALIGNMENT);
    LLVMDisposeBuilder(b);
    return var;
}

static void emit(struct cut *c) {
    LLVMContextRef llvm = c->k->llvm;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(c->k->run);
    LLVMBuilderRef allocas = ir_at_entry(c->k->run);
    c->next = LLVMBuildAlloca(allocas, LLVMInt32TypeInContext(llvm), "next");
    c->last = LLVMBuildAlloca(allocas, LLVMInt32TypeInContext(llvm), "last");
    c->patience = LLVMBuildAlloca(allocas, LLVMInt32TypeInContext(llvm), "patience");
    c->resuming = LLVMBuildAlloca(allocas, LLVMInt1TypeInContext(llvm), "resuming");
    for (unsigned s = 0; s < c->slots.n; s++) {
        struct slot *slot = &c->slots.at[s];
        if (slot->crosses && slot->uniform) {
            slot->shared = LLVMBuildAlloca(allocas, slot->type, "shared");
        }
    }
    LLVMDisposeBuilder(allocas);
    c->context = small_context(c);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(entry));
    c->b = ir_at_end(entry);
    if (!c->context) {
        LLVMTypeRef pointer = LLVMPointerTypeInContext(llvm, AS_PRIVATE);
        c->context = kernel_field(c->k, c->b, RUN_WORKER, WORKER_FIELD(context), pointer, "context");
    }
    packs_sizes(c->k, c->b, &c->packs);
    find_global_bases(c);
    memory_facts(c->k, &c->facts);
    c->k->context_scope = c->facts.scope[MEMORY_CONTEXT];
    for (unsigned r = 0; r < c->nregions; r++) {
        c->regions[r].block = ir_block(c->k->run, job_printf("region%u", r));
    }
    c->end = ir_block(c->k->run, "end");
    LLVMBuildBr(c->b, c->regions[0].block);
    for (unsigned r = 0; r < c->nregions; r++) {
        emit_region(c, r);
    }
    LLVMPositionBuilderAtEnd(c->b, c->end);
    LLVMBuildRetVoid(c->b);
    LLVMDisposeBuilder(c->b);
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
static void know_packs(struct cut *c) {
    c->pack = job_alloc(sizeof *c->pack);
    c->pack->of_pack = true;
    uniform_run(c->k, c->pack);
    linear_regions(c);
}

void regions_pass(struct kernel *k) {
    struct cut *c = job_alloc(sizeof *c);
    c->k = k;
    bool is_free = width_settle(k);
    c->synchronizes = waiting_observes(k);
    isolate_barriers(c);
    hoist_group_values(c);
    uniform_run(k, &c->uniform);
    find_regions(c);
    if (is_free) {
        width_of_regions(c);
    }
    if (k->width > 1) {
        know_packs(c);
        if (is_free && width_jam(c)) {
            know_packs(c);
        }
    }
    bound_conditions(c);
    slots_demote(k, &c->uniform, c->pack, &c->slots);
    if (c->nregions > 1 || c->nyields) {
        slots_liveness(k, &c->slots, c->cfg, &c->index, c->blocks);
        find_crossing(c);
        slots_coalesce(&c->slots, c->cfg, c->blocks, c->masked);
    }
    for (unsigned r = 0; r < c->nregions; r++) {
        find_stores(c, &c->regions[r]);
    }
    if (c->nyields) {
        yield_crossing(c);
    }
    for (unsigned r = 0; r < c->nregions; r++) {
        bound_find(c, &c->regions[r]);
    }
    lay_out(c);
    report_regions(c);
    emit(c);
    drop_convergence(k);
    k->private_bytes = k->context_per_item > k->private_bytes ? k->context_per_item : k->private_bytes;
}
