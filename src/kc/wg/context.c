/* context.c: where a work-group keeps what lives across barriers, and private arrays.
 *
 * In: slots, and which of them cross a barrier. Out: their places in the context, and addresses there.
 * The context is the worker's arena, or a variable of the kernel if it is small and the group's size is known. First come
 * the values of all work-items, and their states, which drive the loops over them; then, apart, private arrays: those
 * that are too large for the stack and don't cross a barrier, one for each lane, and those of all work-items that do.
 * Programs write beyond the ends of private arrays by accident. Between the two, and on either side of arrays on the
 * stack, lies padding of a few elements, so that such a program gets wrong values of its own, as on other
 * implementations, and LLVM, which knows how large a variable is, doesn't conclude that a loop over work-items never ends.
 * Each pack has all its values together, those of most alignment first: of each value a lane's beside the next one's.
 * Packs at a row's end have room for all their lanes, too. */
#include "wg.h"

enum { STACK_VARIABLE = 16 * 1024, STACK_TOTAL = 256 * 1024, ARENA_ALIGNMENT = 128 };

/* Bytes that no launch can provide; more is never added up to. */
#define TOO_MANY (UINT64_C(1) << 48)

static uint64_t bounded(uint64_t bytes) {
    return bytes < TOO_MANY ? bytes : TOO_MANY;
}

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

unsigned wg_alignment(uint64_t bytes) {
    unsigned align = 1;
    while (align < ARENA_ALIGNMENT && bytes % (align * 2) == 0) {
        align *= 2;
    }
    return align;
}

static uint64_t alignment_of(const struct slot *slot) {
    return slot->align > wg_alignment(slot->bytes) ? slot->align : wg_alignment(slot->bytes);
}

/* Bytes on either side of an array that an access of a few elements beyond its end reaches; `lanes` alternate in it. */
static uint64_t padding(const struct kernel *k, LLVMTypeRef type, uint64_t lanes) {
    enum { ELEMENTS = 4, LARGEST = 128 };
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        type = LLVMGetElementType(type);
    }
    uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(k->module), type);
    return round_up((bytes < LARGEST ? bytes : LARGEST) * ELEMENTS * lanes, ARENA_ALIGNMENT);
}

static uint64_t padding_of(const struct wg *wg, const struct slot *slot) {
    return padding(wg->k, slot->type, slot->grain ? wg->k->width : 1);
}

static bool lives_in_context(const struct slot *slot, bool is_array) {
    return slot->crosses && !slot->uniform && slot->is_array == is_array;
}

static void place_in(struct wg *wg, struct context_area *area, bool arrays) {
    area->align = 1;
    for (uint64_t align = UINT64_C(1) << 32; align; align /= 2) {
        for (unsigned s = 0; s < wg->slots.n; s++) {
            struct slot *slot = &wg->slots.at[s];
            if (!lives_in_context(slot, arrays) || alignment_of(slot) != align) {
                continue;
            }
            slot->offset = area->per_item;
            area->per_item = bounded(area->per_item + slot->bytes);
            area->align = align > area->align ? align : area->align;
            uint64_t beside = arrays ? padding_of(wg, slot) : 0;
            wg->padding = beside > wg->padding ? beside : wg->padding;
        }
        if (!arrays && align == 4 && (wg->any_guard || wg->nyields)) {
            wg->state_offset = area->per_item;
            area->per_item += 4;
        }
    }
}

/* So that each pack's part of it is aligned, too. */
static void round_area(const struct wg *wg, struct context_area *area) {
    uint64_t width = wg->k->width;
    area->per_item = round_up(area->per_item, area->align > width ? area->align / width : 1);
}

/* Arrays that don't cross a barrier: on the stack, or one for each lane in the context, for all work-items in turn. */
static void place_others(struct wg *wg) {
    uint64_t stack = 0, align = wg->arrays.align;
    for (unsigned s = 0; s < wg->slots.n; s++) {
        struct slot *slot = &wg->slots.at[s];
        if (!slot->is_array || slot->crosses) {
            continue;
        }
        uint64_t bytes = bounded(slot->bytes * wg->k->width), beside = padding_of(wg, slot);
        uint64_t need = bytes + slot->align + 2 * beside;
        slot->fixed =
            slot->bytes > STACK_VARIABLE || slot->align > STACK_VARIABLE || stack + need > STACK_TOTAL;
        if (!slot->fixed) {
            stack += need;
            continue;
        }
        uint64_t unit = slot->align > ARENA_ALIGNMENT ? slot->align : ARENA_ALIGNMENT;
        slot->offset = round_up(wg->fixed_bytes, unit);
        wg->fixed_bytes = bounded(slot->offset + bytes);
        wg->padding = beside > wg->padding ? beside : wg->padding;
        align = slot->align > align ? slot->align : align;
    }
    wg->fixed_bytes = round_up(wg->fixed_bytes, align > ARENA_ALIGNMENT ? align : ARENA_ALIGNMENT);
    wg->arrays.align = align;
}

void context_lay_out(struct wg *wg) {
    struct kernel *k = wg->k;
    place_in(wg, &wg->values, false);
    wg->masks_offset = wg->values.per_item;
    wg->values.per_item = bounded(wg->values.per_item + yield_mask_bytes(wg));
    place_in(wg, &wg->arrays, true);
    place_others(wg);
    round_area(wg, &wg->values);
    round_area(wg, &wg->arrays);
    k->context_per_item = wg->values.per_item + wg->arrays.per_item;
    k->context_arrays = wg->fixed_bytes;
    if (wg->fixed_bytes || wg->arrays.per_item) { /* padding, and what rounding up may take */
        uint64_t align = wg->arrays.align > ARENA_ALIGNMENT ? wg->arrays.align : 0;
        k->context_fixed = wg->fixed_bytes + 2 * wg->padding + ARENA_ALIGNMENT + align;
    }
}

/* ---- emitting ---- */

/* A small context of a group of known size is a variable, which LLVM may keep in registers. */
void context_declare(struct wg *wg) {
    enum { SMALL = 4096 };
    struct kernel *k = wg->k;
    uint64_t row = round_up(k->local_size[0], k->width / k->rows),
             items = row * k->local_size[1] * k->local_size[2];
    uint64_t bytes = wg->fixed_bytes > SMALL || k->context_per_item > SMALL
                         ? TOO_MANY
                         : wg->fixed_bytes + k->context_per_item * items;
    k->context_is_small = items && bytes <= SMALL && wg->arrays.align <= SMALL;
    if (!k->context_is_small) {
        return;
    }
    bytes = k->context_fixed + k->context_per_item * items;
    LLVMBuilderRef b = ir_at_entry(k->run);
    LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(k->llvm), bytes);
    wg->values.base = LLVMBuildAlloca(b, type, "context");
    LLVMSetAlignment(wg->values.base, ARENA_ALIGNMENT);
    LLVMDisposeBuilder(b);
}

/* `p` and the bytes to the next multiple of `align` after it. */
static LLVMValueRef aligned(struct wg *wg, LLVMValueRef p, uint64_t align) {
    LLVMValueRef number = LLVMBuildPtrToInt(wg->b, p, LLVMInt64TypeInContext(wg->k->llvm), "");
    LLVMValueRef ahead =
        LLVMBuildAnd(wg->b, LLVMBuildNeg(wg->b, number, ""), ir_const64(wg->k->llvm, align - 1), "");
    return ir_offset(wg->b, p, ahead, "arrays");
}

void context_begin(struct wg *wg) {
    LLVMContextRef llvm = wg->k->llvm;
    struct item_loops *loops = &wg->loops;
    if (!wg->values.base) {
        LLVMTypeRef pointer = LLVMPointerTypeInContext(llvm, AS_PRIVATE);
        wg->values.base = kernel_field(wg->k, wg->b, RUN_WORKER, WORKER_FIELD(context), pointer, "context");
    }
    if (!wg->k->context_fixed) {
        return;
    }
    uint64_t before = wg->padding + ARENA_ALIGNMENT - 1;
    LLVMValueRef items = LLVMBuildNUWMul(wg->b, item_loops_row(loops), loops->size[1], "");
    items = LLVMBuildNUWMul(wg->b, items, loops->size[2], "");
    LLVMValueRef bytes = LLVMBuildNUWMul(wg->b, items, ir_const64(llvm, wg->values.per_item), "");
    bytes = LLVMBuildNUWAdd(wg->b, bytes, ir_const64(llvm, before), "");
    bytes = LLVMBuildAnd(wg->b, bytes, ir_const64(llvm, ~(uint64_t)(ARENA_ALIGNMENT - 1)), "");
    wg->arrays.base = ir_offset(wg->b, wg->values.base, bytes, "arrays");
    if (wg->arrays.align > ARENA_ALIGNMENT) {
        wg->arrays.base = aligned(wg, wg->arrays.base, wg->arrays.align);
    }
}

/* What lies `offset` bytes per work-item into the area, after `before` bytes of it. */
static LLVMValueRef address_in(struct wg *wg, const struct context_area *area, uint64_t before,
                               uint64_t offset, const char *name) {
    uint64_t in_pack = before + offset * wg->k->width;
    LLVMValueRef base = ir_offset(wg->b, area->base, ir_const64(wg->k->llvm, in_pack), "");
    LLVMValueRef bytes = ir_const64(wg->k->llvm, area->per_item);
    return ir_offset(wg->b, base, LLVMBuildNUWMul(wg->b, wg->loops.place, bytes, ""), name);
}

LLVMValueRef context_address(struct wg *wg, uint64_t offset, const char *name) {
    return address_in(wg, &wg->values, 0, offset, name);
}

LLVMValueRef context_slot(struct wg *wg, const struct slot *slot) {
    size_t n;
    const char *name = job_printf("%s.ctx", LLVMGetValueName2(slot->var, &n));
    return slot->is_array ? address_in(wg, &wg->arrays, wg->fixed_bytes, slot->offset, name)
                          : context_address(wg, slot->offset, name);
}

/* A variable of this many bytes with padding around it, at the entry. */
static LLVMValueRef padded_variable(struct kernel *k, LLVMValueRef function, uint64_t bytes, uint64_t beside,
                                    uint64_t align) {
    LLVMBuilderRef b = ir_before(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(k->llvm), bytes + 2 * beside);
    LLVMValueRef var = LLVMBuildAlloca(b, type, "private");
    LLVMSetAlignment(var, (unsigned)align);
    LLVMDisposeBuilder(b);
    return var;
}

/* An array on the stack, of all lanes: for one work-item after the other. */
static LLVMValueRef stack_array(struct wg *wg, struct slot *slot) {
    uint64_t align = alignment_of(slot), beside = round_up(padding_of(wg, slot), align);
    if (!slot->wide) {
        uint64_t bytes = slot->bytes * wg->k->width;
        slot->wide = padded_variable(wg->k, wg->k->run, bytes, beside, align > 64 ? align : 64);
    }
    return ir_offset(wg->b, slot->wide, ir_const64(wg->k->llvm, beside), "");
}

/* The same for an array of a function that stays. */
static void pad(struct kernel *k, LLVMValueRef var) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->module);
    uint64_t align = private_align(layout, var),
             beside = round_up(padding(k, LLVMGetAllocatedType(var), 1), align);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(var));
    LLVMValueRef padded = padded_variable(k, function, private_size(layout, var), beside, align);
    LLVMBuilderRef b = ir_before(var);
    LLVMValueRef inside = ir_offset(b, padded, ir_const64(k->llvm, beside), "");
    LLVMDisposeBuilder(b);
    for (LLVMUseRef next, u = LLVMGetFirstUse(var); u; u = next) {
        next = LLVMGetNextUse(u);
        LLVMValueRef user = LLVMGetUser(u);
        if (ir_is_intrinsic(user, "llvm.lifetime.")) { /* takes a variable, nothing else */
            LLVMSetOperand(user, 0, padded);
        }
    }
    LLVMReplaceAllUsesWith(var, inside);
    LLVMInstructionEraseFromParent(var);
}

void context_pad_functions(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef entry = f != k->run && !LLVMIsDeclaration(f) ? LLVMGetEntryBasicBlock(f) : NULL;
        LLVMValueRef i = entry ? LLVMGetFirstInstruction(entry) : NULL;
        for (LLVMValueRef next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMTypeKind kind =
                LLVMIsAAllocaInst(i) ? LLVMGetTypeKind(LLVMGetAllocatedType(i)) : LLVMVoidTypeKind;
            if (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind) {
                pad(k, i);
            }
        }
    }
}

LLVMValueRef context_array(struct wg *wg, struct slot *slot) {
    if (slot->crosses) {
        return context_slot(wg, slot);
    }
    return slot->fixed ? ir_offset(wg->b, wg->arrays.base, ir_const64(wg->k->llvm, slot->offset), "")
                       : stack_array(wg, slot);
}
