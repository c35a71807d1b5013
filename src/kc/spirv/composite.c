/* composite.c: vectors, arrays and structs as values. */
#include "reader.h"

#include "opcodes.h"

static LLVMTypeRef member(struct reader *r, LLVMTypeRef type, uint64_t index) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        if (index < LLVMGetVectorSize(type))
            return LLVMGetElementType(type);
        break;
    case LLVMArrayTypeKind:
        if (index < LLVMGetArrayLength2(type))
            return LLVMGetElementType(type);
        break;
    case LLVMStructTypeKind:
        if (index < LLVMCountStructElementTypes(type))
            return LLVMStructGetTypeAtIndex(type, (unsigned)index);
        break;
    default:
        break;
    }
    reader_fail(r, "there is no member %llu", (unsigned long long)index);
}

static LLVMValueRef take(struct reader *r, LLVMValueRef whole, uint32_t index) {
    member(r, LLVMTypeOf(whole), index);
    if (LLVMGetTypeKind(LLVMTypeOf(whole)) == LLVMVectorTypeKind)
        return LLVMBuildExtractElement(r->builder, whole, ir_const32(r->llvm, index), "");
    return LLVMBuildExtractValue(r->builder, whole, index, "");
}

static LLVMValueRef put(struct reader *r, LLVMValueRef whole, LLVMValueRef part, uint32_t index) {
    if (member(r, LLVMTypeOf(whole), index) != LLVMTypeOf(part))
        reader_fail(r, "member %u is of another type", index);
    if (LLVMGetTypeKind(LLVMTypeOf(whole)) == LLVMVectorTypeKind)
        return LLVMBuildInsertElement(r->builder, whole, part, ir_const32(r->llvm, index), "");
    return LLVMBuildInsertValue(r->builder, whole, part, index, "");
}

void read_extract(struct reader *r, const struct instruction *in) {
    LLVMValueRef value = reader_operand(r, in, 0);
    for (uint32_t i = 1; i < in->n; i++)
        value = take(r, value, in->at[i]);
    reader_result(r, in, value);
}

static LLVMValueRef insert(struct reader *r, LLVMValueRef whole, LLVMValueRef part, const uint32_t *at,
                           uint32_t n) {
    if (!n)
        return part;
    return put(r, whole, insert(r, take(r, whole, at[0]), part, at + 1, n - 1), at[0]);
}

void read_insert(struct reader *r, const struct instruction *in) {
    enum { DEEPEST = 64 }; /* no type is deeper */
    LLVMValueRef part = reader_operand(r, in, 0), whole = reader_operand(r, in, 1);
    if (in->n < 3 || in->n > 2 + DEEPEST)
        reader_fail(r, "it has %u indices; 1 to %d are supported", in->n - 2, DEEPEST);
    reader_result(r, in, insert(r, whole, part, in->at + 2, in->n - 2));
}

/* Vectors may be made of vectors, one after the other. */
void read_construct(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = reader_type(r, in->type);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_vector = kind == LLVMVectorTypeKind;
    uint64_t expected = is_vector                    ? LLVMGetVectorSize(type)
                        : kind == LLVMArrayTypeKind  ? LLVMGetArrayLength2(type)
                        : kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                                     : UINT64_MAX;
    LLVMValueRef value = LLVMGetUndef(type);
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->n; i++) {
        LLVMValueRef part = reader_operand(r, in, i);
        bool flat = is_vector && LLVMGetTypeKind(LLVMTypeOf(part)) == LLVMVectorTypeKind;
        for (uint32_t k = 0; k < (flat ? LLVMGetVectorSize(LLVMTypeOf(part)) : 1); k++)
            value = put(r, value, flat ? take(r, part, k) : part, n++);
    }
    if (n != expected)
        reader_fail(r, "%u parts are not those of type %u", n, in->type);
    reader_result(r, in, value);
}

/* Types of OpCopyLogical are the same but for their decorations and ids. */
static LLVMValueRef copy_logical(struct reader *r, LLVMValueRef value, LLVMTypeRef to) {
    LLVMTypeRef from = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(to);
    bool is_array = kind == LLVMArrayTypeKind;
    if (from == to)
        return value;
    if (LLVMGetTypeKind(from) != kind || (!is_array && kind != LLVMStructTypeKind))
        reader_fail(r, "the types differ in more than their names");
    uint64_t n = is_array ? LLVMGetArrayLength2(to) : LLVMCountStructElementTypes(to);
    if (n != (is_array ? LLVMGetArrayLength2(from) : LLVMCountStructElementTypes(from)) || n > 4096)
        reader_fail(r, "the types have other numbers of members");
    LLVMValueRef copy = LLVMGetPoison(to);
    for (uint32_t i = 0; i < n; i++)
        copy = put(r, copy, copy_logical(r, take(r, value, i), member(r, to, i)), i);
    return copy;
}

void read_copy(struct reader *r, const struct instruction *in) {
    LLVMValueRef value = reader_operand(r, in, 0);
    LLVMTypeRef type = reader_type(r, in->type);
    if (in->op->code == OpExpectKHR)
        reader_typed(r, in, 1, type);
    const struct id *from = reader_id(r, in->at[0]);
    if (in->op->code == OpCopyLogical) {
        reader_check_value(r, in->type);
        value = copy_logical(r, value, type);
    }
    reader_result(r, in, value);
    struct id *to = reader_id(r, in->result);
    to->pair[0] = from->pair[0];
    to->pair[1] = from->pair[1];
}

static LLVMValueRef index_operand(struct reader *r, const struct instruction *in, uint32_t k) {
    LLVMValueRef index = reader_operand(r, in, k);
    if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind || !reader_is_int(LLVMTypeOf(index)))
        reader_fail(r, "operand %u is not an integer", k + 1);
    return index;
}

void read_vector_element(struct reader *r, const struct instruction *in) {
    LLVMValueRef vector = reader_operand(r, in, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(vector)) != LLVMVectorTypeKind)
        reader_fail(r, "operand 1 is not a vector");
    if (in->op->code == OpVectorExtractDynamic) {
        reader_result(r, in, LLVMBuildExtractElement(r->builder, vector, index_operand(r, in, 1), ""));
        return;
    }
    LLVMValueRef part = reader_typed(r, in, 1, LLVMGetElementType(LLVMTypeOf(vector)));
    reader_result(r, in, LLVMBuildInsertElement(r->builder, vector, part, index_operand(r, in, 2), ""));
}

/* The vector with `n` components, those beyond its own undefined. */
static LLVMValueRef widen(struct reader *r, LLVMValueRef vector, unsigned n) {
    LLVMValueRef mask[16];
    unsigned has = LLVMGetVectorSize(LLVMTypeOf(vector));
    if (has == n)
        return vector;
    for (unsigned i = 0; i < n; i++)
        mask[i] = i < has ? ir_const32(r->llvm, i) : LLVMGetPoison(LLVMInt32TypeInContext(r->llvm));
    return LLVMBuildShuffleVector(r->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(mask, n), "");
}

void read_shuffle(struct reader *r, const struct instruction *in) {
    enum { UNDEFINED = -1 };
    LLVMTypeRef type = reader_type(r, in->type);
    LLVMValueRef a = reader_operand(r, in, 0), b = reader_operand(r, in, 1), mask[16];
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMVectorTypeKind ||
        LLVMGetTypeKind(LLVMTypeOf(b)) != LLVMVectorTypeKind ||
        LLVMGetElementType(LLVMTypeOf(a)) != LLVMGetElementType(LLVMTypeOf(b)) ||
        LLVMGetElementType(LLVMTypeOf(a)) != LLVMGetElementType(type))
        reader_fail(r, "the operands and the result are not vectors of one element");
    unsigned na = LLVMGetVectorSize(LLVMTypeOf(a)), nb = LLVMGetVectorSize(LLVMTypeOf(b)),
             n = na > nb ? na : nb;
    if (in->n - 2 != LLVMGetVectorSize(type))
        reader_fail(r, "it has %u components, type %u has others", in->n - 2, in->type);
    for (uint32_t i = 0; i + 2 < in->n; i++) {
        uint32_t k = in->at[i + 2];
        if (k != (uint32_t)UNDEFINED && k >= na + nb)
            reader_fail(r, "there is no component %u", k);
        mask[i] = k == (uint32_t)UNDEFINED ? LLVMGetPoison(LLVMInt32TypeInContext(r->llvm))
                                           : ir_const32(r->llvm, k < na ? k : k - na + n);
    }
    reader_result(r, in,
                  LLVMBuildShuffleVector(r->builder, widen(r, a, n), widen(r, b, n),
                                         LLVMConstVector(mask, in->n - 2), ""));
}
