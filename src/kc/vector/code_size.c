/* code_size.c: how much code the packs of a kernel become.
 *
 * In: k->run with its regions, the uniformity of its packs and where lanes part, before values become slots. Out: about how
 * many instructions LLVM gets to optimize and to allocate registers for, at this width: what has no vector form counts
 * once per lane, with the branches around it where lanes may be off, and a block as often as it is emitted. An
 * estimate: what LLVM merges or unrolls is not known here. */
#include "vector.h"

struct size {
    const struct wg *wg;
    LLVMTargetDataRef layout;
    uint32_t width;
    bool masked; /* lanes may be off in the current block */
};

/* Instructions for one operation on values of this type in all lanes. */
static uint64_t vectors_of(const struct size *s, LLVMTypeRef type) {
    return target_registers_of(s->wg->k->target, s->layout, type, s->width);
}

/* Each lane by itself: its operands, the instruction, its result, and a branch if it must not run in lanes that are off. */
static uint64_t lane_by_lane(const struct size *s, bool has_effect) {
    enum { PLAIN = 3, BRANCHES = 8 };
    return (uint64_t)s->width * (has_effect && s->masked ? BRANCHES : PLAIN);
}

static uint64_t size_of_access(const struct size *s, LLVMValueRef i) {
    bool is_load = LLVMIsALoadInst(i);
    LLVMValueRef address = LLVMGetOperand(i, is_load ? 0 : 1);
    LLVMTypeRef type = LLVMTypeOf(is_load ? i : LLVMGetOperand(i, 0));
    bool is_tuple = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    uint64_t n = is_tuple ? LLVMGetVectorSize(type) : 1;
    LLVMTypeRef element = is_tuple ? LLVMGetElementType(type) : type;
    int64_t stride, bytes = (int64_t)LLVMABISizeOfType(s->layout, element);
    bool is_atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    if (uniform_is(s->wg->pack, address) && (is_atomic || !kernel_is_volatile(i))) {
        return 2;
    }
    if (kernel_is_volatile(i) || is_atomic || !private_is_element(element)) {
        return lane_by_lane(s, true);
    }
    if (uniform_stride(s->wg->pack, address, &stride) && (stride == bytes || stride == -bytes)) {
        return 2 * vectors_of(s, type);
    }
    if (bytes >= 4 && s->wg->k->target->has_scatter) {
        return n * 2 * vectors_of(s, LLVMTypeOf(address));
    }
    return n * lane_by_lane(s, false);
}

/* One for all lanes, or a loop over them (joined_atomics.c, lane_loop.c). */
static uint64_t size_of_atomic(const struct size *s, LLVMValueRef rmw) {
    enum { LOOP = 24 };
    return private_is_element(LLVMTypeOf(rmw)) ? LOOP + 4 * vectors_of(s, LLVMTypeOf(rmw))
                                               : lane_by_lane(s, true);
}

static uint64_t size_of_call(const struct size *s, LLVMValueRef call) {
    bool is_simple = subgroup_is_op(call) || intrinsic_id(call, NULL) || kernel_is_pack_call(call) ||
                     (ir_is_intrinsic(call, "llvm.") && ir_has_no_effect(call));
    return is_simple ? 2 * vectors_of(s, LLVMTypeOf(call)) : lane_by_lane(s, true);
}

static uint64_t size_of_instruction(const struct size *s, LLVMValueRef i) {
    enum { DIVISION = 16 };
    int64_t stride;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
        return 0;
    case LLVMLoad:
    case LLVMStore:
        return size_of_access(s, i);
    case LLVMAtomicRMW:
        return size_of_atomic(s, i);
    case LLVMAtomicCmpXchg:
        return lane_by_lane(s, true);
    default:
        break;
    }
    if (ir_is_marker(i)) {
        return 0;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind) {
        return LLVMIsACallInst(i) ? size_of_call(s, i) : 2;
    }
    if (uniform_is(s->wg->pack, i) || uniform_stride(s->wg->pack, i, &stride)) {
        return 1;
    }
    if (LLVMIsACallInst(i)) {
        return size_of_call(s, i);
    }
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMStructTypeKind) {
        return lane_by_lane(s, false);
    }
    return (ir_is_division(i) ? DIVISION : 1) * vectors_of(s, LLVMTypeOf(i));
}

/* Blocks that touch memory where lanes part have a second version for when all are on (vector_region.c). */
static bool has_two_versions(const struct wg *wg, unsigned node) {
    unsigned accesses = 0, n = 0;
    if (wg->k->checked && wg->cfg->n > VECTOR_MANY_BLOCKS) {
        return false;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
        accesses += LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
        n++;
    }
    return wg->masked[node] && accesses && n <= VECTOR_LONG_BLOCK;
}

/* At the end of each loop that lanes leave at different times: whether some wait, at any of the nodes where they may. In loops
 * with several entries that are many, for each of the loops around them. */
static uint64_t size_of_rounds(const struct linear *l) {
    uint64_t n = 0;
    for (unsigned i = 0; i < l->nspans; i++) {
        const struct span *s = &l->spans[i];
        for (unsigned p = s->first; s->island != NONE && !s->together && p <= s->last; p++) {
            n += linearize_comes_around(l, s, l->order[p]) ? 2 : 0;
        }
    }
    return n;
}

uint64_t code_size(const struct wg *wg) {
    struct size s = {.wg = wg, .width = wg->k->width};
    uint64_t total = 0, *of_block = job_alloc(wg->cfg->n * sizeof *of_block);
    bool rows_are_whole = wg->k->local_size[0] && wg->k->local_size[0] % (wg->k->width / wg->k->rows) == 0;
    s.layout = LLVMGetModuleDataLayout(wg->k->module);
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        s.masked = wg->masked[n] || !rows_are_whole;
        for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            of_block[n] += size_of_instruction(&s, i);
        }
        of_block[n] *= has_two_versions(wg, n) ? 2 : 1;
    }
    for (unsigned r = 0; r < wg->nregions; r++) {
        const struct region *region = &wg->regions[r];
        for (size_t b = 0; b < region->blocks.n; b++) {
            total += of_block[(uintptr_t)region->blocks.at[b]] * (region->guarded ? 2 : 1);
        }
        total += size_of_rounds(region->linear) * (region->guarded ? 2 : 1);
    }
    return total;
}
