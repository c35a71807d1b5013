/* window.c: accesses of a pack that lie near each other, in any order: the vectors that hold them, and permutes.
 *
 * In: an access of 32-bit elements in memory that only this thread uses (access_is_own), whose address has one index that
 * differs between lanes. Out: code that looks whether the elements of all lanes on lie in two vectors, a window that begins at
 * a multiple of W from the array's, and reads or writes those as wholes. So butterflies, bitonic sorts, scans and padded
 * rows, with steps known only at run time, take a few instructions where gathers and scatters take some per lane.
 * A store also needs elements in ascending order: its window's bits, one for each element stored, then say how lanes
 * spread over it ("expand"). Elements between are written back as they were read.
 *     2 * l - (l & (j - 1)) with j = 2, W = 4:   elements 0 1 4 5, window 0 to 7
 *                                                load: two vectors, one permute of both by <0, 1, 4, 5>
 *                                                store: bits 0x33; lanes 0 1 expand into the first, 2 3 into the second
 * What it can't do: store in another order, or windows of more than two vectors. */
#include "vector.h"

static LLVMTypeRef integers(struct vec *v) {
    return vec_type(v, LLVMInt32TypeInContext(v->llvm));
}

static LLVMValueRef splat32(struct vec *v, uint32_t n) {
    return wide_splat(v, ir_const32(v->llvm, n));
}

/* Elements of x and y, one after the other, by number. */
static LLVMValueRef permute_two(struct vec *v, LLVMValueRef x, LLVMValueRef y, LLVMValueRef numbers) {
    if (v->k->target->has_mask_registers) {
        LLVMValueRef args[] = {x, numbers, y};
        return vec_intrinsic(
            v, v->width == 16 ? "llvm.x86.avx512.vpermi2var.d.512" : "llvm.x86.avx512.vpermi2var.d.256", NULL,
            0, args, 3);
    }
    LLVMValueRef from_x[] = {x, numbers}, from_y[] = {y, numbers}; /* by the lower three bits */
    LLVMValueRef is_y = LLVMBuildICmp(v->b, LLVMIntUGE, numbers, splat32(v, v->width), "");
    return LLVMBuildSelect(v->b, is_y, vec_intrinsic(v, "llvm.x86.avx2.permd", NULL, 0, from_y, 2),
                           vec_intrinsic(v, "llvm.x86.avx2.permd", NULL, 0, from_x, 2), "");
}

/* The elements one after the other where the mask is set, `old` elsewhere. */
static LLVMValueRef expand(struct vec *v, LLVMValueRef elements, LLVMValueRef old, LLVMValueRef mask) {
    LLVMTypeRef type = integers(v);
    LLVMValueRef args[] = {elements, old, mask};
    return vec_intrinsic(v, "llvm.x86.avx512.mask.expand", &type, 1, args, 3);
}

/* The elements of the lanes on, one after the other. */
static LLVMValueRef compressed(struct vec *v, LLVMValueRef elements) {
    LLVMTypeRef type = integers(v);
    LLVMValueRef args[] = {elements, LLVMConstNull(type), v->mask};
    return v->mask ? vec_intrinsic(v, "llvm.x86.avx512.mask.compress", &type, 1, args, 3) : elements;
}

bool window_may_be(struct vec *v, const struct access *a, bool writes) {
    const struct target *t = v->k->target;
    bool one_register = v->width * 32 == 256 || (v->width * 32 == 512 && t->vector_bits == 512);
    return a->n == 1 && a->size == 4 && access_is_own(a->kind) && one_register && t->vector_bits >= 256 &&
           (!writes || t->has_mask_registers);
}

/* Whether each lane's number is above the one before, whoever is on. */
static LLVMValueRef ascend(struct vec *v, LLVMValueRef numbers) {
    unsigned order[64];
    for (unsigned i = 0; i < v->width; i++) {
        order[i] = i ? i - 1 : v->width;
    }
    LLVMValueRef before = vec_shuffle(v, numbers, splat32(v, UINT32_MAX), order, v->width);
    LLVMValueRef falls = LLVMBuildICmp(v->b, LLVMIntSGE, before, numbers, "");
    return LLVMBuildNot(v->b, vec_any(v, falls), "ascend");
}

LLVMValueRef window_find(struct vec *v, LLVMValueRef numbers, bool writes, LLVMValueRef *first,
                         struct window *w) {
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(numbers));
    LLVMValueRef begin = LLVMConstInt(type, ~(uint64_t)(v->width - 1), 0);
    *first = LLVMBuildExtractElement(v->b, numbers, ir_const64(v->llvm, 0), "");
    *first = LLVMBuildAnd(v->b, *first, begin, "begin");
    LLVMValueRef places = LLVMBuildSub(v->b, numbers, wide_splat(v, *first), "");
    LLVMValueRef size = wide_splat(v, LLVMConstInt(type, 2 * v->width, 0));
    LLVMValueRef beyond = vec_and(v, v->mask, LLVMBuildICmp(v->b, LLVMIntUGE, places, size, ""));
    LLVMValueRef is_window = LLVMBuildNot(v->b, vec_any(v, beyond), "near");
    w->places = LLVMBuildTruncOrBitCast(v->b, places, integers(v), "");
    if (writes) {
        is_window = LLVMBuildAnd(v->b, is_window, ascend(v, w->places), "");
    }
    return is_window;
}

static LLVMValueRef half_address(struct vec *v, const struct window *w, unsigned half) {
    return ir_offset(v->b, w->address, ir_const64(v->llvm, (uint64_t)half * v->width * 4), "");
}

static LLVMValueRef half(struct vec *v, const struct access *a, const struct window *w, unsigned n) {
    return access_read(v, LLVMInt32TypeInContext(v->llvm), half_address(v, w, n), a->align, NULL, a->kind);
}

LLVMValueRef window_read(struct vec *v, const struct access *a, const struct window *w) {
    LLVMValueRef read = permute_two(v, half(v, a, w, 0), half(v, a, w, 1), w->places);
    return LLVMBuildBitCast(v->b, read, vec_type(v, a->type), "");
}

/* An integer with a bit for each element of the window that some lane has, as masks of its halves. */
static void find_stored(struct vec *v, const struct window *w, LLVMValueRef masks[2], LLVMValueRef *count) {
    LLVMTypeRef type = integers(v), i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMTypeRef lanes = LLVMIntTypeInContext(v->llvm, v->width),
                mask = vec_type(v, LLVMInt1TypeInContext(v->llvm));
    LLVMValueRef bits = LLVMBuildShl(v->b, splat32(v, 1), w->places, "");
    if (v->mask) {
        bits = LLVMBuildSelect(v->b, v->mask, bits, LLVMConstNull(type), "");
    }
    LLVMValueRef all = vec_intrinsic(v, "llvm.vector.reduce.or", &type, 1, &bits, 1), low;
    for (unsigned n = 0; n < 2; n++) {
        LLVMValueRef part = LLVMBuildLShr(v->b, all, ir_const32(v->llvm, n * v->width), "");
        part = LLVMBuildTrunc(v->b, part, lanes, "");
        masks[n] = LLVMBuildBitCast(v->b, part, mask, "stored");
    }
    low = LLVMBuildAnd(v->b, all, ir_const32(v->llvm, (1u << v->width) - 1), "");
    *count = vec_intrinsic(v, "llvm.ctpop", &i32, 1, &low, 1);
}

void window_write(struct vec *v, const struct access *a, const struct window *w, LLVMValueRef value) {
    LLVMValueRef masks[2], count, rest;
    find_stored(v, w, masks, &count);
    value = compressed(v, LLVMBuildBitCast(v->b, value, integers(v), ""));
    LLVMValueRef numbers =
        LLVMBuildAdd(v->b, wide_ramp(v, LLVMInt32TypeInContext(v->llvm), 1), wide_splat(v, count), "");
    rest = permute_two(v, value, value, numbers);
    for (unsigned n = 0; n < 2; n++) {
        LLVMValueRef all = expand(v, n ? rest : value, half(v, a, w, n), masks[n]);
        access_write(v, all, half_address(v, w, n), a->align, NULL, a->kind);
    }
}
