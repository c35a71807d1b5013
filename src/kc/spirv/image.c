/* image.c: images and samplers, and pipes: calls of OpenCL C's functions for them. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

/* ---- what an image is --------------------------------------------------------------------------------------------------- */

struct image {
    LLVMValueRef value;
    uint32_t type_id;
    uint32_t dim;
    bool depth, arrayed;
};

static struct image image_of(struct reader *r, LLVMValueRef value, uint32_t type_id) {
    const struct id *type = reader_type_id(r, type_id);
    if (type->op != OpTypeImage)
        reader_fail(r, "type %u is not an image", type_id);
    return (struct image){value, type_id, type->at[1], type->at[2] == 1, type->at[3] == 1};
}

static struct image image_operand(struct reader *r, const struct instruction *in, uint32_t k) {
    LLVMValueRef value = reader_operand(r, in, k);
    return image_of(r, value, reader_id(r, in->at[k])->type_id);
}

/* Coordinates as OpenCL C has them: 1, 2 or 4 components. */
static unsigned coordinates(const struct image *image) {
    unsigned n = image->dim == DIM_2D ? 2 : image->dim == DIM_3D ? 4 : 1;
    return image->arrayed ? n * 2 : n;
}

static unsigned dimensions(const struct image *image) {
    return image->dim == DIM_2D ? 2 : image->dim == DIM_3D ? 3 : 1;
}

/* The vector or scalar with `n` components; those that it lacks are 0. */
static LLVMValueRef resize(struct reader *r, LLVMValueRef value, unsigned n) {
    LLVMTypeRef type = LLVMTypeOf(value), scalar = reader_scalar(type);
    unsigned has = reader_lanes(type);
    if (has == n)
        return value;
    if (n == 1)
        return LLVMBuildExtractElement(r->builder, value, ir_const32(r->llvm, 0), "");
    LLVMValueRef whole = LLVMConstNull(LLVMVectorType(scalar, n));
    for (unsigned i = 0; i < n && i < has; i++) {
        LLVMValueRef index = ir_const32(r->llvm, i);
        LLVMValueRef one = has == 1 ? value : LLVMBuildExtractElement(r->builder, value, index, "");
        whole = LLVMBuildInsertElement(r->builder, whole, one, index, "");
    }
    return whole;
}

static LLVMValueRef coordinate_operand(struct reader *r, const struct instruction *in, uint32_t k,
                                       const struct image *image) {
    LLVMValueRef value = reader_operand(r, in, k);
    LLVMTypeRef type = LLVMTypeOf(value), i32 = LLVMInt32TypeInContext(r->llvm);
    if ((!reader_is_int(type) && !reader_is_float(type)) ||
        reader_lanes(type) < dimensions(image) + image->arrayed)
        reader_fail(r, "operand %u has too few coordinates", k + 1);
    if (reader_is_int(type))
        value = LLVMBuildIntCast2(r->builder, value, reader_like(i32, type), 1, "");
    return resize(r, value, coordinates(image));
}

/* Image operands: the mask and what follows it. */
struct image_operands {
    uint32_t mask;
    LLVMValueRef lod, dx, dy;
};

static struct image_operands image_operands(struct reader *r, const struct instruction *in, uint32_t k) {
    struct image_operands o = {0};
    const uint32_t known =
        IMAGE_LOD | IMAGE_GRAD | IMAGE_SAMPLE | IMAGE_SIGN_EXTEND | IMAGE_ZERO_EXTEND | IMAGE_NONTEMPORAL;
    if (k >= in->n)
        return o;
    o.mask = in->at[k++];
    if (o.mask & ~known)
        reader_fail(r, "image operands 0x%x are not supported", o.mask & ~known);
    if (o.mask & IMAGE_LOD)
        o.lod = reader_operand(r, in, k++);
    if (o.mask & IMAGE_GRAD) {
        o.dx = reader_operand(r, in, k++);
        o.dy = reader_operand(r, in, k++);
    }
    if (o.mask & IMAGE_SAMPLE)
        reader_fail(r, "images with several samples per texel are not supported");
    return o;
}

/* ---- sampled images -------------------------------------------------------------------------------------- */

void read_sampled_image(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = reader_type(r, in->type);
    struct image image = image_operand(r, in, 0);
    if (reader_type_id(r, in->type)->op != OpTypeSampledImage ||
        reader_type_id(r, in->type)->at[0] != image.type_id)
        reader_fail(r, "type %u is not of this image", in->type);
    LLVMValueRef sampler = reader_typed(r, in, 1, LLVMStructGetTypeAtIndex(type, 1));
    LLVMValueRef both = LLVMBuildInsertValue(r->builder, LLVMGetPoison(type), image.value, 0, "");
    reader_result(r, in, LLVMBuildInsertValue(r->builder, both, sampler, 1, ""));
    struct id *id = reader_id(r, in->result);
    id->pair[0] = image.value;
    id->pair[1] = sampler;
}

/* Its image (0) or sampler (1). */
static LLVMValueRef part_of(struct reader *r, uint32_t number, unsigned k) {
    const struct id *id = reader_id(r, number);
    LLVMValueRef whole = reader_value(r, number);
    if (reader_type_id(r, id->type_id)->op != OpTypeSampledImage)
        reader_fail(r, "id %u is not a sampled image", number);
    return id->pair[k] ? id->pair[k] : LLVMBuildExtractValue(r->builder, whole, k, "");
}

void read_image_of(struct reader *r, const struct instruction *in) {
    reader_result(r, in, part_of(r, in->at[0], 0));
}

/* ---- reads and writes ------------------------------------------------------------------------------------ */

/* read_imagef, read_imageh, read_imagei or read_imageui; texels of depth images are one float. */
static void call_read(struct reader *r, const struct instruction *in, const struct image *image,
                      struct argument *args, unsigned n, uint32_t mask) {
    LLVMTypeRef type = reader_type(r, in->type), scalar = reader_scalar(type),
                i32 = LLVMInt32TypeInContext(r->llvm);
    LLVMTypeKind kind = LLVMGetTypeKind(scalar);
    if ((kind != LLVMHalfTypeKind && kind != LLVMFloatTypeKind && scalar != i32) ||
        (reader_lanes(type) != 4 && !(image->depth && reader_lanes(type) == 1)))
        reader_fail(r, "texels are 4 floats, halves or integers of 32 bits, not type %u", in->type);
    const char *name = kind == LLVMFloatTypeKind  ? "read_imagef"
                       : kind == LLVMHalfTypeKind ? "read_imageh"
                       : mask & IMAGE_ZERO_EXTEND ? "read_imageui"
                                                  : "read_imagei";
    LLVMTypeRef called = image->depth ? scalar : LLVMVectorType(scalar, 4);
    LLVMValueRef texel = builtin_call(r, name, called, args, n, 0);
    if (image->depth && reader_lanes(type) == 4)
        texel = resize(r, texel, 4);
    reader_result(r, in, texel);
}

void read_image_sample(struct reader *r, const struct instruction *in) {
    const struct id *sampled = reader_id(r, in->at[0]);
    LLVMValueRef value = part_of(r, in->at[0], 0);
    struct image image = image_of(r, value, reader_type_id(r, sampled->type_id)->at[0]);
    struct image_operands o = image_operands(r, in, 2);
    struct argument args[5] = {{.value = value, .letter = 'i', .type_id = image.type_id},
                               {.value = part_of(r, in->at[0], 1), .letter = 'a'},
                               {.value = coordinate_operand(r, in, 1, &image), .letter = 's'}};
    unsigned n = 3;
    if (o.lod && !reader_is_float(LLVMTypeOf(o.lod)))
        reader_fail(r, "the level of detail is not a float");
    if (o.lod && !(LLVMIsConstant(o.lod) && LLVMIsNull(o.lod)))
        args[n++] = (struct argument){.value = o.lod, .letter = 's'};
    if (o.dx) {
        if (!reader_is_float(LLVMTypeOf(o.dx)) || LLVMTypeOf(o.dx) != LLVMTypeOf(o.dy))
            reader_fail(r, "the gradients are no floats");
        unsigned lanes = image.dim == DIM_3D ? 4 : dimensions(&image);
        args[n++] = (struct argument){.value = resize(r, o.dx, lanes), .letter = 's'};
        args[n++] = (struct argument){.value = resize(r, o.dy, lanes), .letter = 's'};
    }
    call_read(r, in, &image, args, n, o.mask);
}

void read_image_read(struct reader *r, const struct instruction *in) {
    struct image image = image_operand(r, in, 0);
    struct image_operands o = image_operands(r, in, 2);
    struct argument args[] = {{.value = image.value, .letter = 'i', .type_id = image.type_id},
                              {.value = coordinate_operand(r, in, 1, &image), .letter = 's'}};
    call_read(r, in, &image, args, 2, o.mask);
}

void read_image_write(struct reader *r, const struct instruction *in) {
    struct image image = image_operand(r, in, 0);
    struct image_operands o = image_operands(r, in, 3);
    LLVMValueRef texel = reader_operand(r, in, 2);
    LLVMTypeRef type = LLVMTypeOf(texel), i32 = LLVMInt32TypeInContext(r->llvm);
    LLVMTypeKind kind = LLVMGetTypeKind(reader_scalar(type));
    if (kind != LLVMFloatTypeKind && kind != LLVMHalfTypeKind && reader_scalar(type) != i32)
        reader_fail(r, "texels are floats, halves or integers of 32 bits");
    bool is_unsigned = o.mask & IMAGE_ZERO_EXTEND;
    const char *name = kind == LLVMFloatTypeKind  ? "write_imagef"
                       : kind == LLVMHalfTypeKind ? "write_imageh"
                       : is_unsigned              ? "write_imageui"
                                                  : "write_imagei";
    struct argument args[4] = {{.value = image.value, .letter = 'i', .type_id = image.type_id},
                               {.value = coordinate_operand(r, in, 1, &image), .letter = 's'}};
    unsigned n = 2;
    if (o.lod && (!reader_is_int(LLVMTypeOf(o.lod)) || reader_lanes(LLVMTypeOf(o.lod)) != 1))
        reader_fail(r, "the level of detail is not an integer");
    if (o.lod && !(LLVMIsConstant(o.lod) && LLVMIsNull(o.lod)))
        args[n++] =
            (struct argument){.value = LLVMBuildIntCast2(r->builder, o.lod, i32, 1, ""), .letter = 's'};
    texel = resize(r, texel, image.depth ? 1 : 4);
    args[n++] = (struct argument){.value = texel, .letter = is_unsigned ? 'u' : 's'};
    builtin_call(r, name, LLVMVoidTypeInContext(r->llvm), args, n, 0);
}

/* ---- queries --------------------------------------------------------------------------------------------- */

static LLVMValueRef ask(struct reader *r, const struct image *image, const char *name, LLVMTypeRef type) {
    struct argument a = {.value = image->value, .letter = 'i', .type_id = image->type_id};
    return builtin_call(r, name, type, &a, 1, CALL_PURE);
}

/* Width, height, depth, then layers. Levels of a mipmap are halves of the one above, but at least 1. */
void read_image_size(struct reader *r, const struct instruction *in) {
    static const char *const names[] = {"get_image_width", "get_image_height", "get_image_depth"};
    LLVMTypeRef type = reader_type(r, in->type), i32 = LLVMInt32TypeInContext(r->llvm),
                i64 = LLVMInt64TypeInContext(r->llvm);
    struct image image = image_operand(r, in, 0);
    LLVMValueRef lod = in->n > 1 ? reader_operand(r, in, 1) : NULL, sizes[4], value = LLVMGetUndef(type);
    unsigned n = 0, dims = dimensions(&image);
    if (lod && (!reader_is_int(LLVMTypeOf(lod)) || reader_lanes(LLVMTypeOf(lod)) != 1))
        reader_fail(r, "the level of detail is not an integer");
    if (!reader_is_int(type) || reader_lanes(type) != dims + image.arrayed)
        reader_fail(r, "the size has %u components", dims + image.arrayed);
    for (unsigned d = 0; d < dims; d++) {
        LLVMValueRef size = ask(r, &image, names[d], i32);
        if (lod && !(LLVMIsConstant(lod) && LLVMIsNull(lod))) {
            size = LLVMBuildLShr(r->builder, size, LLVMBuildIntCast2(r->builder, lod, i32, 0, ""), "");
            LLVMValueRef none = LLVMBuildICmp(r->builder, LLVMIntEQ, size, ir_const32(r->llvm, 0), "");
            size = LLVMBuildSelect(r->builder, none, ir_const32(r->llvm, 1), size, "");
        }
        sizes[n++] = LLVMBuildIntCast2(r->builder, size, reader_scalar(type), 0, "");
    }
    if (image.arrayed)
        sizes[n++] = LLVMBuildIntCast2(r->builder, ask(r, &image, "get_image_array_size", i64),
                                       reader_scalar(type), 0, "");
    for (unsigned i = 0; i < n; i++)
        value = n == 1 ? sizes[0]
                       : LLVMBuildInsertElement(r->builder, value, sizes[i], ir_const32(r->llvm, i), "");
    reader_result(r, in, value);
}

/* SPIR-V counts formats from 0, OpenCL from the number in the table. */
void read_image_query(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = reader_type(r, in->type), i32 = LLVMInt32TypeInContext(r->llvm);
    struct image image = image_operand(r, in, 0);
    if (!reader_is_int(type) || reader_lanes(type) != 1)
        reader_fail(r, "it gives an integer");
    LLVMValueRef value =
        LLVMBuildSub(r->builder, ask(r, &image, in->op->text, i32), ir_const32(r->llvm, in->op->number), "");
    reader_result(r, in, LLVMBuildIntCast2(r->builder, value, type, 0, ""));
}

void read_clock(struct reader *r, const struct instruction *in) {
    uint64_t scope = reader_constant(r, in->at[0]);
    LLVMTypeRef type = reader_type(r, in->type);
    const char *name = scope == SCOPE_DEVICE      ? "device"
                       : scope == SCOPE_WORKGROUP ? "work_group"
                                                  : "sub_group";
    if (scope > SCOPE_SUBGROUP || scope == SCOPE_CROSS_DEVICE || !reader_is_int(type) ||
        reader_lanes(type) > 2)
        reader_fail(r, "there is no such clock");
    reader_result(r, in,
                  builtin_call(r, job_printf("clock_read_%s%s", reader_lanes(type) == 2 ? "hilo_" : "", name),
                               type, NULL, 0, 0));
}
