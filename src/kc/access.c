/* access.c: loads and stores of a pack.
 *
 * By the form of the address: one scalar access (uniform), one vector access (affine, stride of one element, up or
 * down), a wide load and a shuffle (affine, a few elements apart), else a gather or scatter. Under a mask that
 * isn't known to be full these are LLVM's masked forms. Volatile and atomic accesses and types that can't be
 * vector elements go lane by lane. A uniform store of differing values keeps the last active lane's. */
#include "vector.h"
#include <string.h>

enum { SHUFFLE_STRIDE = 4 };

static unsigned alignment(struct vec *v, LLVMValueRef access, LLVMTypeRef type) {
    unsigned given = LLVMGetAlignment(access);
    return given ? given : LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(v->k->module), type);
}

static void annotate(struct vec *v, LLVMValueRef access, enum memory_kind kind) {
    if (kind != MEMORY_OTHER) {
        LLVMSetMetadata(access, v->c->facts.scope_kind, v->c->facts.scope[kind]);
    }
    LLVMSetMetadata(access, v->c->facts.noalias_kind, v->c->facts.noalias[kind]);
}

static void align_operand(struct vec *v, LLVMValueRef call, unsigned operand, unsigned align) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, operand + 1, LLVMCreateEnumAttribute(v->llvm, kind, align));
}

LLVMValueRef access_read(struct vec *v, LLVMTypeRef element, LLVMValueRef at, unsigned align,
                         LLVMValueRef mask, enum memory_kind kind) {
    LLVMTypeRef type = vec_type(v, element);
    LLVMValueRef read;
    if (mask) {
        LLVMTypeRef overloads[] = {type, LLVMTypeOf(at)};
        LLVMValueRef args[] = {at, mask, LLVMGetPoison(type)};
        read = vec_intrinsic(v, "llvm.masked.load", overloads, 2, args, 3);
        align_operand(v, read, 0, align);
    } else {
        read = LLVMBuildLoad2(v->b, type, at, "");
        LLVMSetAlignment(read, align);
    }
    annotate(v, read, kind);
    return read;
}

void access_write(struct vec *v, LLVMValueRef value, LLVMValueRef at, unsigned align, LLVMValueRef mask,
                  enum memory_kind kind) {
    LLVMValueRef write;
    if (mask) {
        LLVMTypeRef overloads[] = {LLVMTypeOf(value), LLVMTypeOf(at)};
        LLVMValueRef args[] = {value, at, mask};
        write = vec_intrinsic(v, "llvm.masked.store", overloads, 2, args, 3);
        align_operand(v, write, 1, align);
    } else {
        write = LLVMBuildStore(v->b, value, at);
        LLVMSetAlignment(write, align);
    }
    annotate(v, write, kind);
}

static LLVMValueRef reversed(struct vec *v, LLVMValueRef vector) {
    if (!vector) {
        return NULL;
    }
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMValueRef order[64];
    for (unsigned i = 0; i < v->width; i++) {
        order[i] = LLVMConstInt(i32, v->width - 1 - i, 0);
    }
    return LLVMBuildShuffleVector(v->b, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(order, v->width), "");
}

static LLVMValueRef address_of_last(struct vec *v, const struct wide *p) {
    uint64_t back = (uint64_t)(p->stride * (int64_t)(v->width - 1));
    return ir_offset(v->b, p->value, ir_const64(v->llvm, back), "");
}

/* Lanes are `step` elements apart, all active: one load of what lies between, and a shuffle. */
static LLVMValueRef read_apart(struct vec *v, LLVMTypeRef element, const struct wide *p, unsigned step,
                               unsigned align, enum memory_kind kind) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMTypeRef all = LLVMVectorType(element, (v->width - 1) * step + 1);
    LLVMValueRef read = LLVMBuildLoad2(v->b, all, p->value, ""), order[64];
    LLVMSetAlignment(read, align);
    annotate(v, read, kind);
    for (unsigned i = 0; i < v->width; i++) {
        order[i] = LLVMConstInt(i32, i * step, 0);
    }
    return LLVMBuildShuffleVector(v->b, read, LLVMGetPoison(all), LLVMConstVector(order, v->width), "");
}

static LLVMValueRef gather(struct vec *v, LLVMTypeRef element, LLVMValueRef pointers, unsigned align,
                           enum memory_kind kind) {
    LLVMTypeRef overloads[] = {vec_type(v, element), LLVMTypeOf(pointers)};
    LLVMValueRef args[] = {pointers, vec_full(v, v->mask), LLVMGetPoison(overloads[0])};
    LLVMValueRef read = vec_intrinsic(v, "llvm.masked.gather", overloads, 2, args, 3);
    align_operand(v, read, 0, align);
    annotate(v, read, kind);
    return read;
}

static bool is_plain(LLVMValueRef access, LLVMTypeRef type) {
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic &&
           vec_fits(type) && !(LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) % 8);
}

void access_load(struct vec *v, LLVMValueRef load) {
    LLVMTypeRef type = LLVMTypeOf(load);
    const struct wide *p = wide_of(v, LLVMGetOperand(load, 0));
    enum memory_kind kind = cut_kind(load);
    bool ordered = LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic;
    if (p->form == FORM_UNIFORM && !ordered) {
        LLVMValueRef copy = LLVMInstructionClone(load);
        LLVMSetOperand(copy, 0, p->value);
        LLVMInsertIntoBuilderWithName(v->b, copy, "");
        annotate(v, copy, kind);
        wide_set(v, load, wide_new(FORM_UNIFORM, copy, 0));
        return;
    }
    if (!is_plain(load, type)) {
        widen_by_lane(v, load, true);
        return;
    }
    int64_t size = (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(v->k->module), type);
    unsigned align = alignment(v, load, type);
    int64_t step = p->form == FORM_AFFINE && p->stride % size == 0 ? p->stride / size : 0;
    LLVMValueRef read;
    if (step == 1) {
        read = access_read(v, type, p->value, align, v->mask, kind);
    } else if (step == -1) {
        LLVMValueRef mask = reversed(v, v->mask);
        read = reversed(v, access_read(v, type, address_of_last(v, p), align, mask, kind));
    } else if (step > 1 && step <= SHUFFLE_STRIDE && !v->mask && v->width <= 16) {
        read = read_apart(v, type, p, (unsigned)step, align, kind);
    } else {
        read = gather(v, type, wide_vector(v, p, LLVMTypeOf(LLVMGetOperand(load, 0))), align, kind);
    }
    wide_set(v, load, wide_new(FORM_VECTOR, read, 0));
}

static void store_uniform(struct vec *v, LLVMValueRef store, const struct wide *p, const struct wide *value) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    LLVMValueRef scalar = value->value;
    if (value->form != FORM_UNIFORM) {
        LLVMValueRef last = vec_last(v, v->mask);
        scalar = LLVMBuildExtractElement(v->b, wide_vector(v, value, type), last, "");
    }
    LLVMValueRef copy = LLVMInstructionClone(store);
    LLVMSetOperand(copy, 0, scalar);
    LLVMSetOperand(copy, 1, p->value);
    LLVMInsertIntoBuilderWithName(v->b, copy, "");
    annotate(v, copy, cut_kind(store));
}

void access_store(struct vec *v, LLVMValueRef store) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    const struct wide *value = wide_of(v, LLVMGetOperand(store, 0)),
                      *p = wide_of(v, LLVMGetOperand(store, 1));
    enum memory_kind kind = cut_kind(store);
    if (!is_plain(store, type)) {
        widen_by_lane(v, store, true);
        return;
    }
    if (p->form == FORM_UNIFORM) {
        store_uniform(v, store, p, value);
        return;
    }
    int64_t size = (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(v->k->module), type);
    unsigned align = alignment(v, store, type);
    LLVMValueRef vector = wide_vector(v, value, type);
    if (p->form == FORM_AFFINE && p->stride == size) {
        access_write(v, vector, p->value, align, v->mask, kind);
    } else if (p->form == FORM_AFFINE && p->stride == -size) {
        LLVMValueRef mask = reversed(v, v->mask);
        access_write(v, reversed(v, vector), address_of_last(v, p), align, mask, kind);
    } else {
        LLVMValueRef pointers = wide_vector(v, p, LLVMTypeOf(LLVMGetOperand(store, 1)));
        LLVMTypeRef overloads[] = {LLVMTypeOf(vector), LLVMTypeOf(pointers)};
        LLVMValueRef args[] = {vector, pointers, vec_full(v, v->mask)};
        LLVMValueRef write = vec_intrinsic(v, "llvm.masked.scatter", overloads, 2, args, 3);
        align_operand(v, write, 1, align);
        annotate(v, write, kind);
    }
}
