/* access.c: loads and stores of a pack.
 *
 * By the form of the address: one scalar access (uniform), one vector access (affine, stride of one element, up or
 * down), a wide load and a shuffle (affine, a few elements apart), else a gather or scatter. Under a mask that
 * isn't known to be full these are LLVM's masked forms. Where only the run will tell, as in a[(l + 1) % n] or
 * a[l ^ j], code for both looks first whether the pack's elements lie in a row. Volatile and atomic accesses and types
 * that can't be vector elements go lane by lane. A uniform store of differing values keeps the last active lane's. */
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

static void scatter(struct vec *v, LLVMValueRef value, LLVMValueRef pointers, unsigned align,
                    enum memory_kind kind) {
    LLVMTypeRef overloads[] = {LLVMTypeOf(value), LLVMTypeOf(pointers)};
    LLVMValueRef args[] = {value, pointers, vec_full(v, v->mask)};
    LLVMValueRef write = vec_intrinsic(v, "llvm.masked.scatter", overloads, 2, args, 3);
    align_operand(v, write, 1, align);
    annotate(v, write, kind);
}

static bool is_plain(LLVMValueRef access, LLVMTypeRef type) {
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic &&
           vec_fits(type) && !(LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) % 8);
}

/* ---- in a row or not: only the run tells ---- */

/* Whether the index may be computed from ids, not read from memory: then looking is worth it. */
static bool may_be_in_row(struct vec *v, LLVMValueRef index, unsigned depth) {
    if (!LLVMIsAInstruction(index) || wide_of(v, index)->form != FORM_VECTOR) {
        return true;
    }
    if (LLVMIsALoadInst(index)) {
        return slots_of_access(&v->c->slots, index) != NULL;
    }
    bool may = depth && !LLVMIsACallInst(index);
    for (int n = 0; may && n < LLVMGetNumOperands(index); n++) {
        may = may_be_in_row(v, LLVMGetOperand(index, (unsigned)n), depth - 1);
    }
    return may;
}

/* The one index that differs between lanes, of elements of `bytes`, without its extension to 64 bits; or NULL. */
static LLVMValueRef index_of(struct vec *v, LLVMValueRef p, uint64_t bytes) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(v->k->module);
    LLVMValueRef index = NULL;
    while (!index && LLVMIsAGetElementPtrInst(p)) {
        unsigned last = (unsigned)LLVMGetNumOperands(p) - 1;
        for (unsigned o = 1; o < last; o++) {
            if (wide_of(v, LLVMGetOperand(p, o))->form != FORM_UNIFORM) {
                return NULL;
            }
        }
        if (wide_of(v, LLVMGetOperand(p, last))->form != FORM_UNIFORM) {
            LLVMTypeRef type = LLVMGetGEPSourceElementType(p);
            for (unsigned o = 2; o <= last; o++) {
                type = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetElementType(type) : NULL;
                if (!type) {
                    return NULL;
                }
            }
            index = LLVMABISizeOfType(layout, type) == bytes ? LLVMGetOperand(p, last) : NULL;
        }
        p = LLVMGetOperand(p, 0);
    }
    if (!index || wide_of(v, p)->form != FORM_UNIFORM) {
        return NULL;
    }
    bool extends = LLVMIsAZExtInst(index) || LLVMIsASExtInst(index);
    return extends ? LLVMGetOperand(index, 0) : index;
}

/* i1: the active lanes access elements in a row; NULL: not worth looking. */
static LLVMValueRef in_row(struct vec *v, LLVMValueRef p, LLVMTypeRef element) {
    uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(v->k->module), element);
    LLVMValueRef index = index_of(v, p, bytes), lanes[64];
    if (!index || LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(index)) < 32 || !may_be_in_row(v, index, 6)) {
        return NULL;
    }
    LLVMTypeRef type = LLVMTypeOf(index);
    LLVMValueRef at = LLVMBuildFreeze(v->b, wide_vector(v, wide_of(v, index), type), "");
    for (unsigned i = 0; i < v->width; i++) {
        lanes[i] = LLVMConstInt(type, i, 0);
    }
    LLVMValueRef back = LLVMBuildSub(v->b, at, LLVMConstVector(lanes, v->width), ""), zero[64];
    for (unsigned i = 0; i < v->width; i++) {
        zero[i] = LLVMConstInt(LLVMInt32TypeInContext(v->llvm), 0, 0);
    }
    LLVMValueRef first = LLVMBuildShuffleVector(v->b, at, LLVMGetPoison(LLVMTypeOf(at)),
                                                LLVMConstVector(zero, v->width), "");
    LLVMValueRef astray = vec_and(v, v->mask, LLVMBuildICmp(v->b, LLVMIntNE, back, first, ""));
    return LLVMBuildNot(v->b, vec_any(v, astray), "row");
}

/* Accesses the elements in a row if they lie so, else one by one: `value` NULL loads. */
static LLVMValueRef access_either(struct vec *v, LLVMValueRef is_row, LLVMTypeRef type, LLVMValueRef pointers,
                                  LLVMValueRef value, unsigned align, enum memory_kind kind) {
    LLVMBasicBlockRef row = LLVMAppendBasicBlockInContext(v->llvm, v->k->run, "row");
    LLVMBasicBlockRef scattered = LLVMAppendBasicBlockInContext(v->llvm, v->k->run, "scattered");
    LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(v->llvm, v->k->run, "row.next");
    LLVMValueRef first = LLVMBuildExtractElement(v->b, pointers, ir_const64(v->llvm, 0), ""), read[2];
    LLVMBuildCondBr(v->b, is_row, row, scattered);
    LLVMPositionBuilderAtEnd(v->b, row);
    if (value) {
        access_write(v, value, first, align, v->mask, kind);
    } else {
        read[0] = access_read(v, type, first, align, v->mask, kind);
    }
    LLVMBuildBr(v->b, next);
    LLVMPositionBuilderAtEnd(v->b, scattered);
    if (value) {
        scatter(v, value, pointers, align, kind);
    } else {
        read[1] = gather(v, type, pointers, align, kind);
    }
    LLVMBuildBr(v->b, next);
    LLVMPositionBuilderAtEnd(v->b, next);
    if (value) {
        return NULL;
    }
    LLVMValueRef phi = LLVMBuildPhi(v->b, vec_type(v, type), "");
    LLVMAddIncoming(phi, read, (LLVMBasicBlockRef[]){row, scattered}, 2);
    return phi;
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
        LLVMValueRef pointers = wide_vector(v, p, LLVMTypeOf(LLVMGetOperand(load, 0)));
        LLVMValueRef is_row = p->form == FORM_VECTOR ? in_row(v, LLVMGetOperand(load, 0), type) : NULL;
        read = is_row ? access_either(v, is_row, type, pointers, NULL, align, kind)
                      : gather(v, type, pointers, align, kind);
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
        LLVMValueRef is_row = p->form == FORM_VECTOR ? in_row(v, LLVMGetOperand(store, 1), type) : NULL;
        if (is_row) {
            access_either(v, is_row, type, pointers, vector, align, kind);
        } else {
            scatter(v, vector, pointers, align, kind);
        }
    }
}
