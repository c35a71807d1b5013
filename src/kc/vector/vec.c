/* vec.c: what all that builds a pack's code asks for: vectors of a lane each, masks and the lanes that are on in them. */
#include "vector.h"

LLVMTypeRef vec_type(struct vec *v, LLVMTypeRef element) {
    return LLVMVectorType(element, v->width);
}

bool vec_fits(LLVMTypeRef type) {
    bool is_integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
    return is_integer ? LLVMGetIntTypeWidth(type) <= 64 : private_is_element(type);
}

LLVMValueRef vec_intrinsic(struct vec *v, const char *name, LLVMTypeRef *overloads, unsigned noverloads,
                           LLVMValueRef *args, unsigned nargs) {
    return ir_intrinsic(v->b, name, overloads, noverloads, args, nargs);
}

static LLVMTypeRef mask_type(struct vec *v) {
    return vec_type(v, LLVMInt1TypeInContext(v->llvm));
}

LLVMValueRef vec_full(struct vec *v, LLVMValueRef mask) {
    return mask ? mask : LLVMConstAllOnes(mask_type(v));
}

LLVMValueRef vec_and(struct vec *v, LLVMValueRef mask, LLVMValueRef more) {
    return !mask ? more : !more ? mask : LLVMBuildAnd(v->b, mask, more, "");
}

/* What lanes that are off compute may be poison, and one such lane would make poison of a mask as a number. All lanes on: an
 * access at a poison address is undefined anyway, and each freeze that LLVM asks about costs it a way up the dominators. */
LLVMValueRef vec_defined(struct vec *v, LLVMValueRef index) {
    return v->mask ? LLVMBuildFreeze(v->b, index, "") : index;
}

LLVMValueRef vec_bits(struct vec *v, LLVMValueRef mask) {
    return LLVMBuildBitCast(v->b, mask, LLVMIntTypeInContext(v->llvm, v->width), "");
}

LLVMValueRef vec_any(struct vec *v, LLVMValueRef mask) {
    return LLVMBuildIsNotNull(v->b, vec_bits(v, mask), "any");
}

LLVMValueRef vec_all(struct vec *v, LLVMValueRef mask) {
    LLVMValueRef bits = vec_bits(v, mask);
    return LLVMBuildICmp(v->b, LLVMIntEQ, bits, LLVMConstAllOnes(LLVMTypeOf(bits)), "all");
}

static LLVMValueRef count_zeros(struct vec *v, LLVMValueRef mask, const char *name) {
    LLVMValueRef bits = vec_bits(v, mask);
    LLVMTypeRef type = LLVMTypeOf(bits), i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMValueRef args[] = {bits, LLVMConstInt(LLVMInt1TypeInContext(v->llvm), 0, 0)};
    LLVMValueRef n = vec_intrinsic(v, name, &type, 1, args, 2);
    return v->width > 32 ? LLVMBuildTrunc(v->b, n, i32, "") : LLVMBuildZExtOrBitCast(v->b, n, i32, "");
}

LLVMValueRef vec_first(struct vec *v, LLVMValueRef mask) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMValueRef most = LLVMConstInt(i32, v->width - 1, 0); /* as many zeros as lanes: none is on */
    return mask ? LLVMBuildAnd(v->b, count_zeros(v, mask, "llvm.cttz"), most, "") : LLVMConstInt(i32, 0, 0);
}

LLVMValueRef vec_last(struct vec *v, LLVMValueRef mask) {
    LLVMValueRef top = LLVMConstInt(LLVMInt32TypeInContext(v->llvm), v->width - 1, 0);
    return mask ? LLVMBuildSub(v->b, top, count_zeros(v, mask, "llvm.ctlz"), "") : top;
}

LLVMValueRef vec_shuffle(struct vec *v, LLVMValueRef x, LLVMValueRef y, const unsigned *order, unsigned n) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMValueRef *mask = job_alloc(n * sizeof(LLVMValueRef));
    for (unsigned i = 0; i < n; i++) {
        mask[i] = LLVMConstInt(i32, order[i], 0);
    }
    y = y ? y : LLVMGetPoison(LLVMTypeOf(x));
    return LLVMBuildShuffleVector(v->b, x, y, LLVMConstVector(mask, n), "");
}

LLVMValueRef vec_some(struct vec *v, LLVMValueRef x, unsigned first, unsigned n) {
    unsigned order[64], all = x ? LLVMGetVectorSize(LLVMTypeOf(x)) : 1;
    for (unsigned i = 0; i < n; i++) {
        order[i] = (first + i) % all;
    }
    return x ? vec_shuffle(v, x, NULL, order, n) : NULL;
}

LLVMValueRef vec_every(struct vec *v, LLVMValueRef x, unsigned first, unsigned step) {
    unsigned order[64];
    for (unsigned i = 0; i < v->width; i++) {
        order[i] = first + i * step;
    }
    return vec_shuffle(v, x, NULL, order, v->width);
}

struct vec *vec_new(struct wg *wg, struct region *r) {
    struct vec *v = job_alloc(sizeof *v);
    *v = (struct vec){.wg = wg, .r = r, .k = wg->k, .llvm = wg->k->llvm, .b = wg->b, .width = wg->k->width};
    v->loop = NONE;
    return v;
}

LLVMValueRef vec_variable(struct vec *v, LLVMTypeRef type, const char *name) {
    LLVMBuilderRef b = ir_at_entry(v->k->run);
    LLVMValueRef var = LLVMBuildAlloca(b, type, name);
    LLVMDisposeBuilder(b);
    return var;
}
