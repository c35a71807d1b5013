/* image_write.cl: write_image (OpenCL C 6.15.15.4, 8.3, cl_khr_mipmap_image_writes, cl_khr_srgb_image_writes).
 *
 * A colour's components become the bits of the channels that the format has (image.h), rounded to the nearest number.
 * What lies outside the image is not written: programs that round up their global size rely on it. */
#include "image.h"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

OVERLOAD float powr(float x, float y);

/* ---- channels ---- */

/* The colour's component that a channel takes. */
#define PICK(color, which) (which == 0 ? color.x : which == 1 ? color.y : which == 2 ? color.z : color.w)

/* c as sRGB encodes it, before it is rounded (8.3.5). */
static inline float image_to_srgb(float c) {
    c = c > 0.0f ? c : 0.0f;
    c = c < 1.0f ? c : 1.0f;
    return c < 0.0031308f ? 12.92f * c : 1.055f * powr(c, 1.0f / 2.4f) - 0.055f;
}

/* The bits of a channel; those above its width are to be cut off. */
static inline uint image_from_float(ulong image, float x, uint channel) {
    uint type = image_type(image), kind = image_kinds[type];
    float most = (float)(int)((1u << (image_widths[type][channel] - (kind == KIND_SNORM))) - 1);
    float least = kind == KIND_SNORM ? -most - 1.0f : 0.0f, number = x * most;
    number =
        kind == KIND_SNORM && number != number ? 0.0f : number; /* else the next line has NaNs become 0 */
    number = number > least ? number : least;
    number = number < most ? number : most;
    return kind == KIND_FLOAT ? as_uint(x) : (uint)(int)__builtin_elementwise_rint(number);
}

/* The bits of all channels. */
static uint4 image_channels_of(ulong image, float4 color) {
    if (image_is_srgb(image)) {
        color.xyz = (float3)(image_to_srgb(color.x), image_to_srgb(color.y), image_to_srgb(color.z));
    }
    uint order = image_order(image);
    float4 x = (float4)(PICK(color, image_stores[order][0]), PICK(color, image_stores[order][1]),
                        PICK(color, image_stores[order][2]), PICK(color, image_stores[order][3]));
    if (image_kinds[image_type(image)] == KIND_HALF) {
        return __builtin_convertvector(__builtin_astype(__builtin_convertvector(x, half4), ushort4), uint4);
    }
    return (uint4)(image_from_float(image, x.x, 0), image_from_float(image, x.y, 1),
                   image_from_float(image, x.z, 2), image_from_float(image, x.w, 3));
}

static inline uint image_channel_of_integers(ulong image, int4 color, uint channel) {
    uint type = image_type(image), which = image_stores[image_order(image)][channel];
    uint width = image_widths[type][channel];
    int x = PICK(color, which);
    if (image_kinds[type] == KIND_SIGNED) {
        int most = (int)(~0u >> (33 - width));
        x = x < most ? x : most;
        return (uint)(x > ~most ? x : ~most);
    }
    uint most = ~0u >> (32 - width);
    return (uint)x < most ? (uint)x : most;
}

/* The texel's words with this channel. */
static inline uint4 image_with(ulong image, uint4 words, uint channel, uint bits) {
    uint type = image_type(image), place = image_places[type][channel], word = place >> 5;
    uint put = (bits & ~0u >> (32 - image_widths[type][channel])) << (place & 31);
    put = channel < image_counts[image_order(image)] ? put : 0;
    return words |
           (uint4)(word == 0 ? put : 0, word == 1 ? put : 0, word == 2 ? put : 0, word == 3 ? put : 0);
}

static uint4 image_texel(ulong image, float4 color) {
    uint4 bits = image_channels_of(image, color);
    uint4 words = image_with(image, 0, 0, bits.x);
    words = image_with(image, words, 1, bits.y);
    words = image_with(image, words, 2, bits.z);
    return image_with(image, words, 3, bits.w);
}

static uint4 image_texel_of_integers(ulong image, int4 color) {
    uint4 words = image_with(image, 0, 0, image_channel_of_integers(image, color, 0));
    words = image_with(image, words, 1, image_channel_of_integers(image, color, 1));
    words = image_with(image, words, 2, image_channel_of_integers(image, color, 2));
    return image_with(image, words, 3, image_channel_of_integers(image, color, 3));
}

/* ---- texels ---- */

static void image_store(ulong image, int lod, int4 at, int dims, bool is_array, uint4 words) {
    if ((uint)lod >= image_of(image)->levels) {
        return;
    }
    image_level level = image_of(image)->level + lod;
    int z = dims > 2 || (is_array && dims > 1) ? at.z : is_array ? at.y : 0;
    uint depth = dims > 2 ? level->depth : is_array ? level->array : 1;
    /* One condition, so that what a pack shares of it is a branch and the ends of the pack tell the rest. */
    bool in_row = (uint)at.x < level->width, in_column = dims < 2 || (uint)at.y < level->height;
    if (!(in_row & in_column & (uint)z < depth)) {
        return;
    }
    long index = image_index(image, level, at.x, at.y, z, dims, is_array);
    global void *data = (global void *)(ulong)level->data;
    switch (image_texel_size(image)) {
    case 0:
        ((global image_texel1 *)data)[index] = (uchar)words.x;
        break;
    case 1:
        ((global image_texel2 *)data)[index] = (ushort)words.x;
        break;
    case 2:
        ((global image_texel4 *)data)[index] = words.x;
        break;
    case 3:
        ((global image_texel8 *)data)[index] = words.xy;
        break;
    default:
        ((global image_texel16 *)data)[index] = words;
    }
}

/* ---- the functions ---- */

#define INT1(x)   ((int4)(x, 0, 0, 0))
#define INT2(x)   ((int4)(x, 0, 0))
#define INT4(x)   (x)
#define WHOLE(x)  (x)
#define FLOATS(x) __builtin_convertvector(x, float4)
#define FIRST(x)  ((float4)(x, 0.0f, 0.0f, 0.0f))
#define SIGNED(x) __builtin_astype(x, int4)

#define WRITE(access, image_t, T, suffix, texel, COLOR, I, INT, dims, is_array)                              \
    OVERLOAD void write_image##suffix(access image_t image, I at, T color) {                                 \
        ulong bits = IMAGE_BITS(image);                                                                      \
        IMAGE_AT(bits, INT(at), 0, dims, is_array, WEIR_TEXEL_WRITES);                                       \
        image_store(bits, 0, INT(at), dims, is_array, texel(bits, COLOR(color)));                            \
    }
/* Levels are for write_only images. */
#define WRITE_MIP(access, image_t, T, suffix, texel, COLOR, I, INT, dims, is_array)                          \
    OVERLOAD void write_image##suffix(access image_t image, I at, int lod, T color) {                        \
        ulong bits = IMAGE_BITS(image);                                                                      \
        IMAGE_AT(bits, INT(at), lod, dims, is_array, WEIR_TEXEL_WRITES);                                     \
        image_store(bits, lod, INT(at), dims, is_array, texel(bits, COLOR(color)));                          \
    }
#define WRITE_COLORS(HOW, access, image_t, I, INT, dims, is_array)                                           \
    HOW(access, image_t, float4, f, image_texel, WHOLE, I, INT, dims, is_array)                              \
    HOW(access, image_t, int4, i, image_texel_of_integers, WHOLE, I, INT, dims, is_array)                    \
    HOW(access, image_t, uint4, ui, image_texel_of_integers, SIGNED, I, INT, dims, is_array)
#define WRITE_DEPTH(HOW, access, image_t, I, INT, dims, is_array)                                            \
    HOW(access, image_t, float, f, image_texel, FIRST, I, INT, dims, is_array)
#define WRITE_HALVES(HOW, access, image_t, I, INT, dims, is_array)                                           \
    HOW(access, image_t, half4, h, image_texel, FLOATS, I, INT, dims, is_array)
#define WRITE_EACH(WHAT, HOW, access)                                                                        \
    WHAT(HOW, access, image1d_t, int, INT1, 1, false)                                                        \
    WHAT(HOW, access, image1d_array_t, int2, INT2, 1, true)                                                  \
    WHAT(HOW, access, image2d_t, int2, INT2, 2, false)                                                       \
    WHAT(HOW, access, image2d_array_t, int4, INT4, 2, true)                                                  \
    WHAT(HOW, access, image3d_t, int4, INT4, 3, false)
#define WRITE_DEPTHS(HOW, access)                                                                            \
    WRITE_DEPTH(HOW, access, image2d_depth_t, int2, INT2, 2, false)                                          \
    WRITE_DEPTH(HOW, access, image2d_array_depth_t, int4, INT4, 2, true)
#define WRITE_ACCESS(access)                                                                                 \
    WRITE_EACH(WRITE_COLORS, WRITE, access)                                                                  \
    WRITE_EACH(WRITE_HALVES, WRITE, access)                                                                  \
    WRITE_COLORS(WRITE, access, image1d_buffer_t, int, INT1, 1, false)                                       \
    WRITE_HALVES(WRITE, access, image1d_buffer_t, int, INT1, 1, false)                                       \
    WRITE_DEPTHS(WRITE, access)
WRITE_ACCESS(write_only)
WRITE_ACCESS(read_write)
WRITE_EACH(WRITE_COLORS, WRITE_MIP, write_only)
WRITE_DEPTHS(WRITE_MIP, write_only)
