/* types.c: OpType* instructions, and what handlers ask about types. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

#define MAX_DEPTH 64                  /* of types in types */
#define MAX_BYTES (UINT64_C(1) << 40) /* of a type */
#define MAX_VALUE 16384               /* bytes of an array or struct as a value: LLVM takes it apart */

static LLVMTypeRef pointer_type(struct reader *r, uint32_t storage) {
    static const struct {
        uint32_t storage;
        unsigned space;
    } spaces[] = {
        {STORAGE_UNIFORM_CONSTANT, AS_CONSTANT}, {STORAGE_INPUT, AS_PRIVATE},
        {STORAGE_WORKGROUP, AS_LOCAL},           {STORAGE_CROSS_WORKGROUP, AS_GLOBAL},
        {STORAGE_FUNCTION, AS_PRIVATE},          {STORAGE_GENERIC, AS_PRIVATE},
        {STORAGE_DEVICE_ONLY, AS_GLOBAL},        {STORAGE_HOST_ONLY, AS_GLOBAL},
        {STORAGE_CODE_SECTION, AS_PRIVATE},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (spaces[i].storage == storage)
            return LLVMPointerTypeInContext(r->llvm, spaces[i].space);
    reader_fail(r, "storage class %u is not supported", storage);
}

/* Translators that may use any extension keep LLVM's integers of odd widths (SPV_INTEL_arbitrary_precision_integers). */
static LLVMTypeRef int_type(struct reader *r, uint32_t bits) {
    if (bits < 2 || bits > 64)
        reader_fail(r, "integers of %u bits are not supported", bits);
    return LLVMIntTypeInContext(r->llvm, bits);
}

static LLVMTypeRef float_type(struct reader *r, const struct instruction *in) {
    if (in->n > 1)
        reader_fail(r, "floating-point encoding %u is not supported", in->at[1]);
    switch (in->at[0]) {
    case 16:
        return LLVMHalfTypeInContext(r->llvm);
    case 32:
        return LLVMFloatTypeInContext(r->llvm);
    case 64:
        return LLVMDoubleTypeInContext(r->llvm);
    default:
        reader_fail(r, "floating-point numbers of %u bits are not supported", in->at[0]);
    }
}

/* A type that another one consists of: its depth and size are counted. */
static struct id *part(struct reader *r, struct id *whole, uint32_t id, uint64_t count) {
    struct id *t = reader_id(r, id);
    if (t->kind != ID_TYPE)
        reader_fail(r, "id %u is not a type", id);
    if (t == whole)
        reader_fail(r, "a type can't have itself as a part");
    if (!t->bytes)
        reader_fail(r, "type %u has no size", id);
    if (t->op == OpTypeNamedBarrier)
        reader_fail(r, "named barriers are no part of other types");
    if (t->depth + 1 > MAX_DEPTH)
        reader_fail(r, "types are nested more than %d deep", MAX_DEPTH);
    if (t->depth + 1 > whole->depth)
        whole->depth = t->depth + 1;
    if (count > MAX_BYTES / t->bytes || whole->bytes + count * t->bytes > MAX_BYTES)
        reader_fail(r, "the type has more than %llu bytes", (unsigned long long)MAX_BYTES);
    whole->bytes += count * t->bytes;
    return t;
}

static LLVMTypeRef vector_type(struct reader *r, struct id *id, const struct instruction *in) {
    uint32_t n = in->at[1];
    const struct id *element = part(r, id, in->at[0], n);
    if (element->op != OpTypeInt && element->op != OpTypeFloat && element->op != OpTypeBool)
        reader_fail(r, "vectors have numbers or bools, not type %u", in->at[0]);
    if (n != 2 && n != 3 && n != 4 && n != 8 && n != 16)
        reader_fail(r, "vectors have 2, 3, 4, 8 or 16 components, not %u", n);
    if (n == 3)
        id->bytes = 4 * element->bytes;
    return LLVMVectorType(element->type, n);
}

static LLVMTypeRef array_type(struct reader *r, struct id *id, const struct instruction *in) {
    uint64_t n = reader_constant(r, in->at[1]);
    if (!n || n > MAX_BYTES)
        reader_fail(r, "an array can't have %llu elements", (unsigned long long)n);
    return LLVMArrayType2(part(r, id, in->at[0], n)->type, n);
}

static LLVMTypeRef struct_type(struct reader *r, struct id *id, const struct instruction *in) {
    LLVMTypeRef *members = job_alloc((in->n + 1) * sizeof *members);
    for (uint32_t i = 0; i < in->n; i++) {
        members[i] = part(r, id, in->at[i], 1)->type;
        id->bytes += 16; /* there may be padding */
    }
    id->bytes += !in->n;
    bool packed = reader_decoration(id, DECORATION_CPACKED);
    LLVMTypeRef type = LLVMStructCreateNamed(r->llvm, id->name ? id->name : "");
    LLVMStructSetBody(type, members, in->n, packed);
    return type;
}

static LLVMTypeRef function_type(struct reader *r, const struct instruction *in) {
    LLVMTypeRef *params = job_alloc((in->n + 1) * sizeof *params);
    const struct id *result = reader_type_id(r, in->at[0]);
    for (uint32_t i = 0; i < in->n; i++)
        reader_check_value(r, in->at[i]);
    for (uint32_t i = 1; i < in->n; i++)
        params[i - 1] = reader_type(r, in->at[i]);
    return LLVMFunctionType(result->op == OpTypeVoid ? result->type : reader_type(r, in->at[0]), params,
                            in->n - 1, 0);
}

static LLVMTypeRef sampled_image_type(struct reader *r, const struct instruction *in) {
    LLVMTypeRef pair[] = {reader_type(r, in->at[0]), LLVMPointerTypeInContext(r->llvm, AS_CONSTANT)};
    if (reader_type_id(r, in->at[0])->op != OpTypeImage)
        reader_fail(r, "type %u is not an image", in->at[0]);
    return LLVMStructTypeInContext(r->llvm, pair, 2, 0);
}

void read_type(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = NULL;
    if (in->op->code == OpTypeForwardPointer) {
        struct id *id = reader_id(r, in->at[0]);
        id->type = pointer_type(r, in->at[1]); /* structs may have it as a member before it is defined */
        if (id->kind != ID_NONE)
            reader_fail(r, "id %u is defined already", in->at[0]);
        id->kind = ID_TYPE;
        id->op = OpTypeForwardPointer;
        id->bytes = 8;
        return;
    }
    struct id *id = reader_id(r, in->result);
    if (in->op->code == OpTypePointer && id->op == OpTypeForwardPointer)
        id->kind = ID_NONE;
    id = reader_define(r, in, ID_TYPE);
    id->bytes = 0;
    switch (in->op->code) {
    case OpTypeVoid:
        type = LLVMVoidTypeInContext(r->llvm);
        break;
    case OpTypeBool:
        type = LLVMInt1TypeInContext(r->llvm);
        id->bytes = 1;
        break;
    case OpTypeInt:
        type = int_type(r, in->at[0]);
        id->bytes = LLVMABISizeOfType(r->layout, type);
        break;
    case OpTypeFloat:
        type = float_type(r, in);
        id->bytes = in->at[0] / 8;
        break;
    case OpTypeVector:
        type = vector_type(r, id, in);
        break;
    case OpTypeArray:
        type = array_type(r, id, in);
        break;
    case OpTypeStruct:
        type = struct_type(r, id, in);
        break;
    case OpTypePointer:
        reader_id(r, in->at[1]);
        type = pointer_type(r, in->at[0]);
        id->bytes = 8;
        break;
    case OpTypeFunction:
        type = function_type(r, in);
        break;
    case OpTypeSampledImage:
        type = sampled_image_type(r, in);
        id->bytes = 16;
        break;
    case OpTypeOpaque:
        type = LLVMStructCreateNamed(r->llvm, reader_string(r, in->at, in->n, NULL));
        break;
    case OpTypeImage:
    case OpTypePipe:
    case OpTypePipeStorage:
        type = LLVMPointerTypeInContext(r->llvm, AS_GLOBAL);
        id->bytes = 8;
        break;
    case OpTypeNamedBarrier:
        type = LLVMPointerTypeInContext(r->llvm, AS_LOCAL);
        id->bytes = 8;
        break;
    case OpTypeSampler:
        type = LLVMPointerTypeInContext(r->llvm, AS_CONSTANT);
        id->bytes = 8;
        break;
    default: /* events, queues, reservations */
        type = LLVMPointerTypeInContext(r->llvm, AS_PRIVATE);
        id->bytes = 8;
    }
    id->type = type;
}

const struct id *reader_type_id(struct reader *r, uint32_t id) {
    const struct id *t = reader_id(r, id);
    if (t->kind != ID_TYPE)
        reader_fail(r, "id %u is not a type", id);
    return t;
}

LLVMTypeRef reader_type(struct reader *r, uint32_t id) {
    const struct id *t = reader_type_id(r, id);
    if (!t->bytes)
        reader_fail(r, "type %u (%s) has no values", id, opcode_name(t->op));
    return t->type;
}

void reader_check_value(struct reader *r, uint32_t id) {
    const struct id *t = reader_type_id(r, id);
    if (t->bytes > MAX_VALUE)
        reader_fail(r, "a value of type %u, some %llu bytes; at most %d are supported", id,
                    (unsigned long long)t->bytes, MAX_VALUE);
}

const struct id *reader_pointee(struct reader *r, uint32_t pointer) {
    const struct id *t = reader_type_id(r, pointer);
    if (t->op != OpTypePointer)
        reader_fail(r, "type %u is not a pointer", pointer);
    return reader_type_id(r, t->at[1]);
}

uint32_t reader_storage(struct reader *r, uint32_t pointer) {
    reader_pointee(r, pointer);
    return reader_type_id(r, pointer)->at[0];
}

uint64_t reader_size(struct reader *r, uint32_t type) {
    return LLVMABISizeOfType(r->layout, reader_type(r, type));
}

unsigned reader_align(struct reader *r, LLVMTypeRef type) {
    return LLVMABIAlignmentOfType(r->layout, type);
}

LLVMTypeRef reader_scalar(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

unsigned reader_lanes(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

LLVMTypeRef reader_like(LLVMTypeRef scalar, LLVMTypeRef shape) {
    return LLVMGetTypeKind(shape) == LLVMVectorTypeKind ? LLVMVectorType(scalar, LLVMGetVectorSize(shape))
                                                        : scalar;
}

bool reader_is_int(LLVMTypeRef type) {
    type = reader_scalar(type);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 1;
}

bool reader_is_bool(LLVMTypeRef type) {
    type = reader_scalar(type);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

bool reader_is_float(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(reader_scalar(type));
    return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

bool reader_is_pointer(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}
