/* image_format.c: the image formats that there are, and colours as texels of them.
 *
 * A format is a channel order and a channel type. Both have a table; an order says which types it goes with, for
 * which image types, and what kernels may do with it. In: cl_image_format. Out: the size of a texel, what is
 * supported (clGetSupportedImageFormats), and for clEnqueueFillImage the bytes of a colour.
 *
 * lib/cl reads and writes texels of all these formats: a row here needs its decoding and encoding there. Left out,
 * optional all: RGx and sRGB, whose three channels are no power of two; Rx, RGBx and sRGBx, whose ignored channel the
 * specification counts and the conformance suite doesn't.
 */
#include "rt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the tables ---- */

#define TYPE(t)     (1u << ((t) - CL_SNORM_INT8))
#define NORMALIZED8 (TYPE(CL_SNORM_INT8) | TYPE(CL_UNORM_INT8))
#define NORMALIZED  (NORMALIZED8 | TYPE(CL_SNORM_INT16) | TYPE(CL_UNORM_INT16))
#define FLOATS      (TYPE(CL_HALF_FLOAT) | TYPE(CL_FLOAT))
#define INTEGERS8   (TYPE(CL_SIGNED_INT8) | TYPE(CL_UNSIGNED_INT8))
#define INTEGERS                                                                                             \
    (INTEGERS8 | TYPE(CL_SIGNED_INT16) | TYPE(CL_UNSIGNED_INT16) | TYPE(CL_SIGNED_INT32) |                   \
     TYPE(CL_UNSIGNED_INT32))
#define ALL    (NORMALIZED | FLOATS | INTEGERS)
#define PACKED (TYPE(CL_UNORM_SHORT_565) | TYPE(CL_UNORM_SHORT_555) | TYPE(CL_UNORM_INT_101010))

#define IMAGE(t)   (1u << ((t) - CL_MEM_OBJECT_IMAGE2D))
#define ALL_IMAGES 0x3fu
#define PLANES     (IMAGE(CL_MEM_OBJECT_IMAGE2D) | IMAGE(CL_MEM_OBJECT_IMAGE2D_ARRAY))

static const struct channel_order {
    cl_channel_order order;
    const char *stores; /* the components of a colour in the order of the channels in memory */
    uint32_t types;     /* TYPE bits */
    uint32_t images;    /* IMAGE bits */
    unsigned access;    /* IMAGE_READ, IMAGE_WRITE */
} orders[] = {
    {CL_R, "r", ALL, ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_A, "a", ALL, ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_RG, "rg", ALL, ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_RA, "ra", ALL, ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_RGB, "rgb", PACKED, ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_RGBA, "rgba", ALL | TYPE(CL_UNORM_INT_101010_2), ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_BGRA, "bgra", NORMALIZED8 | INTEGERS8, ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_ARGB, "argb", NORMALIZED8 | INTEGERS8, ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_ABGR, "abgr", NORMALIZED8 | INTEGERS8, ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_INTENSITY, "r", NORMALIZED | FLOATS, ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_LUMINANCE, "r", NORMALIZED | FLOATS, ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_DEPTH, "r", TYPE(CL_UNORM_INT16) | TYPE(CL_FLOAT), PLANES, IMAGE_READ | IMAGE_WRITE},
    {CL_sRGBA, "rgba", TYPE(CL_UNORM_INT8), ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
    {CL_sBGRA, "bgra", TYPE(CL_UNORM_INT8), ALL_IMAGES, IMAGE_READ | IMAGE_WRITE},
};

enum kind { SNORM, UNORM, SIGNED, UNSIGNED, HALF, FLOAT };
static const struct channel_type {
    cl_channel_type type;
    enum kind kind;
    unsigned bytes; /* of a channel; packed: of the texel */
    struct {
        uint8_t shift, bits;
    } packed[4]; /* where each channel lies in the texel; bits 0: types that aren't packed */
} types[] = {
    {CL_SNORM_INT8, SNORM, 1, {{0}}},
    {CL_SNORM_INT16, SNORM, 2, {{0}}},
    {CL_UNORM_INT8, UNORM, 1, {{0}}},
    {CL_UNORM_INT16, UNORM, 2, {{0}}},
    {CL_UNORM_SHORT_565, UNORM, 2, {{11, 5}, {5, 6}, {0, 5}}},
    {CL_UNORM_SHORT_555, UNORM, 2, {{10, 5}, {5, 5}, {0, 5}}},
    {CL_UNORM_INT_101010, UNORM, 4, {{20, 10}, {10, 10}, {0, 10}}},
    {CL_UNORM_INT_101010_2, UNORM, 4, {{22, 10}, {12, 10}, {2, 10}, {0, 2}}},
    {CL_SIGNED_INT8, SIGNED, 1, {{0}}},
    {CL_SIGNED_INT16, SIGNED, 2, {{0}}},
    {CL_SIGNED_INT32, SIGNED, 4, {{0}}},
    {CL_UNSIGNED_INT8, UNSIGNED, 1, {{0}}},
    {CL_UNSIGNED_INT16, UNSIGNED, 2, {{0}}},
    {CL_UNSIGNED_INT32, UNSIGNED, 4, {{0}}},
    {CL_HALF_FLOAT, HALF, 2, {{0}}},
    {CL_FLOAT, FLOAT, 4, {{0}}},
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct channel_order *order_of(cl_channel_order order) {
    for (size_t i = 0; i < COUNT(orders); i++)
        if (orders[i].order == order)
            return &orders[i];
    return NULL;
}

static const struct channel_type *type_of(cl_channel_type type) {
    for (size_t i = 0; i < COUNT(types); i++)
        if (types[i].type == type)
            return &types[i];
    return NULL;
}

/* ---- questions ---- */

bool image_format_is_valid(const cl_image_format *f) {
    cl_channel_order order = f->image_channel_order;
    if (order < CL_R || order > CL_ABGR || !type_of(f->image_channel_data_type))
        return false;
    switch (f->image_channel_data_type) {
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555:
    case CL_UNORM_INT_101010:
        return order == CL_RGB || order == CL_RGBx;
    case CL_UNORM_INT_101010_2:
        return order == CL_RGBA;
    default: /* three channels are no power of two */
        return order != CL_RGB && order != CL_sRGB;
    }
}

unsigned image_format_access(const cl_image_format *f, cl_mem_object_type image) {
    const struct channel_order *order = order_of(f->image_channel_order);
    bool ok = order && type_of(f->image_channel_data_type) &&
              order->types & TYPE(f->image_channel_data_type) && order->images & IMAGE(image);
    return ok ? order->access : 0;
}

uint32_t image_format_bytes(const cl_image_format *f) {
    const struct channel_type *type = type_of(f->image_channel_data_type);
    return type->packed[0].bits ? type->bytes
                                : type->bytes * (uint32_t)strlen(order_of(f->image_channel_order)->stores);
}

/* prefix and name, of a table whose first entry is for `first`; a number where there is none. */
static void write_name(char *out, size_t room, const char *prefix, const char *const *names, size_t n,
                       cl_uint first, cl_uint value) {
    if (value >= first && value - first < n)
        snprintf(out, room, "%s%s", prefix, names[value - first]);
    else
        snprintf(out, room, "0x%x", value);
}

struct format_text image_format_text(const cl_image_format *f) {
    static const char *const order_names[] = {
        "R",  "A",   "RG",   "RA",    "RGB",           "RGBA", "BGRA",  "ARGB",  "INTENSITY", "LUMINANCE",
        "Rx", "RGx", "RGBx", "DEPTH", "DEPTH_STENCIL", "sRGB", "sRGBx", "sRGBA", "sBGRA",     "ABGR"};
    static const char *const type_names[] = {
        "SNORM_INT8",      "SNORM_INT16",       "UNORM_INT8",     "UNORM_INT16",  "UNORM_SHORT_565",
        "UNORM_SHORT_555", "UNORM_INT_101010",  "SIGNED_INT8",    "SIGNED_INT16", "SIGNED_INT32",
        "UNSIGNED_INT8",   "UNSIGNED_INT16",    "UNSIGNED_INT32", "HALF_FLOAT",   "FLOAT",
        "UNORM_INT24",     "UNORM_INT_101010_2"};
    struct format_text text;
    char order[24], type[24];
    write_name(order, sizeof order, "CL_", order_names, COUNT(order_names), CL_R, f->image_channel_order);
    write_name(type, sizeof type, "CL_", type_names, COUNT(type_names), CL_SNORM_INT8,
               f->image_channel_data_type);
    snprintf(text.at, sizeof text.at, "%s of %s", order, type);
    return text;
}

struct format_text image_type_text(cl_mem_object_type type) {
    static const char *const names[] = {"BUFFER",  "IMAGE2D",       "IMAGE3D",        "IMAGE2D_ARRAY",
                                        "IMAGE1D", "IMAGE1D_ARRAY", "IMAGE1D_BUFFER", "PIPE"};
    struct format_text text;
    write_name(text.at, sizeof text.at, "CL_MEM_OBJECT_", names, COUNT(names), CL_MEM_OBJECT_BUFFER, type);
    return text;
}

bool image_type_is_valid(cl_mem_object_type type) {
    return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

/* What an image must allow so that clGetSupportedImageFormats lists it for these flags. */
static unsigned access_wanted(cl_mem_flags flags) {
    if (flags & (CL_MEM_KERNEL_READ_AND_WRITE | CL_MEM_READ_WRITE))
        return IMAGE_READ | IMAGE_WRITE;
    return flags & CL_MEM_READ_ONLY    ? IMAGE_READ
           : flags & CL_MEM_WRITE_ONLY ? IMAGE_WRITE
                                       : IMAGE_READ | IMAGE_WRITE;
}

WEIR_API cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                                       cl_mem_object_type type, cl_uint num_entries,
                                                       cl_image_format *formats, cl_uint *num_formats) {
    cl_int error = context_check(__func__, context);
    if (error)
        return error;
    if (!mem_flags_are_valid(flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE,
                             MEM_KERNEL_FLAGS | MEM_HOST_FLAGS | MEM_DATA_FLAGS))
        return mem_flags_fail(__func__, context, flags);
    if (!image_type_is_valid(type))
        return API_FAIL(context, CL_INVALID_VALUE, "%s is not an image type", image_type_text(type).at);
    if (num_entries == 0 && formats)
        return API_FAIL(context, CL_INVALID_VALUE, "num_entries is 0, image_formats is not NULL");
    cl_uint n = 0;
    unsigned wanted = access_wanted(flags);
    for (size_t o = 0; o < COUNT(orders); o++)
        for (size_t t = 0; t < COUNT(types); t++) {
            cl_image_format f = {orders[o].order, types[t].type};
            if ((image_format_access(&f, type) & wanted) != wanted)
                continue;
            if (formats && n < num_entries)
                formats[n] = f;
            n++;
        }
    if (num_formats)
        *num_formats = n;
    return CL_SUCCESS;
}

/* ---- a colour as a texel ---- */

static float to_srgb(float linear) {
    if (!(linear > 0)) /* a NaN too */
        return 0;
    if (linear >= 1)
        return 1;
    return linear < 0.0031308f ? 12.92f * linear : 1.055f * powf(linear, 1 / 2.4f) - 0.055f;
}

/* v in [least, 1] as the nearest multiple of 1 / most, even if two are; the multiple. */
static int32_t normalize(float v, float least, float most) {
    if (isnan(v))
        return 0;
    return (int32_t)rintf(fminf(fmaxf(v, least), 1) * most);
}

static int32_t clamp(int32_t v, int32_t least, int32_t most) {
    return v < least ? least : v > most ? most : v;
}

/* One channel, in the low bytes; processors are little-endian here. */
static uint32_t channel_of(const struct channel_type *type, union image_color color, int component) {
    unsigned bits = 8 * type->bytes;
    float f = color.f[component];
    union {
        float f;
        uint32_t u;
    } word = {f};
    union {
        _Float16 f;
        uint16_t u;
    } half;
    switch (type->kind) {
    case SNORM:
        return (uint32_t)normalize(f, -1, (float)((1u << (bits - 1)) - 1));
    case UNORM:
        return (uint32_t)normalize(f, 0, (float)((1u << bits) - 1));
    case SIGNED:
        return bits == 32 ? color.u[component]
                          : (uint32_t)clamp(color.i[component], -(1 << (bits - 1)), (1 << (bits - 1)) - 1);
    case UNSIGNED:
        return bits == 32 || color.u[component] < 1u << bits ? color.u[component] : (1u << bits) - 1;
    case HALF:
        half.f = (_Float16)f;
        return half.u;
    default:
        return word.u;
    }
}

static uint32_t pack(const struct channel_type *type, union image_color color) {
    uint32_t texel = 0;
    for (int c = 0; c < 4 && type->packed[c].bits; c++) {
        float most = (float)((1u << type->packed[c].bits) - 1);
        texel |= (uint32_t)normalize(color.f[c], 0, most) << type->packed[c].shift;
    }
    return texel;
}

void image_format_encode(const cl_image_format *f, union image_color color, void *texel) {
    const struct channel_order *order = order_of(f->image_channel_order);
    const struct channel_type *type = type_of(f->image_channel_data_type);
    unsigned char *to = texel;
    if (type->packed[0].bits) {
        uint32_t packed = pack(type, color);
        memcpy(to, &packed, type->bytes);
        return;
    }
    if (order->order == CL_sRGBA || order->order == CL_sBGRA)
        for (int c = 0; c < 3; c++)
            color.f[c] = to_srgb(color.f[c]);
    for (const char *c = order->stores; *c; c++, to += type->bytes) {
        uint32_t channel = channel_of(type, color, *c == 'a' ? 3 : *c == 'b' ? 2 : *c == 'g' ? 1 : 0);
        memcpy(to, &channel, type->bytes);
    }
}
