/* image_read.cl: read_image and its kin (OpenCL C 6.15.15.2 to 6.15.15.3, 8.2, cl_khr_mipmap_image).
 *
 * Coordinates become texels by the sampler's modes, in selects; a texel's words become a colour by the format's tables
 * (image.h). Whatever coordinates are, also where the specification leaves it open, no memory outside the image is
 * read. */
#include "image.h"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "image_srgb.h"

OVERLOAD float log2(float x);

/* ---- a texel's words ---- */

static uint4 image_load(ulong image, image_level level, long index) {
    const global void *data = (const global void *)(ulong)level->data;
    switch (image_texel_size(image)) {
    case 0:
        return (uint4)(((const global image_texel1 *)data)[index], 0, 0, 0);
    case 1:
        return (uint4)(((const global image_texel2 *)data)[index], 0, 0, 0);
    case 2:
        return (uint4)(((const global image_texel4 *)data)[index], 0, 0, 0);
    case 3:
        return (uint4)(((const global image_texel8 *)data)[index], 0, 0);
    default:
        return ((const global image_texel16 *)data)[index];
    }
}

/* ---- words as colours ---- */

/* A channel's bits, as its kind extends them. */
static inline uint image_channel(ulong image, uint4 words, uint channel) {
    uint type = image_type(image), place = image_places[type][channel], width = image_widths[type][channel];
    uint word = place >> 5, kind = image_kinds[type], left = 32 - width - (place & 31);
    uint bits = word == 0 ? words.x : word == 1 ? words.y : word == 2 ? words.z : words.w;
    bits <<= left;
    return kind == KIND_SNORM || kind == KIND_SIGNED ? (uint)((int)bits >> (32 - width))
                                                     : bits >> (32 - width);
}

/* The number that a channel's bits stand for is this one times its scale. */
static inline float image_unscaled(ulong image, uint bits, uint channel) {
    uint type = image_type(image), kind = image_kinds[type];
    int x = (int)bits, least = -(int)(~0u >> (33 - image_widths[type][channel]));
    return kind == KIND_FLOAT ? as_float(bits) : (float)(kind == KIND_SNORM && x < least ? least : x);
}

static inline float image_scale(ulong image, uint channel) {
    uint type = image_type(image), kind = image_kinds[type];
    uint most = ~0u >> (32 - image_widths[type][channel] + (kind == KIND_SNORM));
    return kind == KIND_FLOAT || kind == KIND_HALF ? 1.0f : 1.0f / (float)(int)most;
}

static inline uint image_source(ulong image, uint component) {
    return image_sources[image_order(image)][component];
}

static inline float image_component(ulong image, float x, uint component) {
    uint source = image_source(image, component);
    return source < IS_ZERO ? x : source == IS_ONE ? 1.0f : 0.0f;
}

/* A colour is the product of this and the next one: sums of texels are scaled once. */
static float4 image_unscaled_color(ulong image, uint4 words) {
    uint x = image_source(image, 0) & 3, y = image_source(image, 1) & 3, z = image_source(image, 2) & 3;
    uint w = image_source(image, 3) & 3;
    uint4 bits = (uint4)(image_channel(image, words, x), image_channel(image, words, y),
                         image_channel(image, words, z), image_channel(image, words, w));
    float4 color = (float4)(image_unscaled(image, bits.x, x), image_unscaled(image, bits.y, y),
                            image_unscaled(image, bits.z, z), image_unscaled(image, bits.w, w));
    if (image_kinds[image_type(image)] == KIND_HALF) {
        color =
            __builtin_convertvector(__builtin_astype(__builtin_convertvector(bits, ushort4), half4), float4);
    }
    if (image_is_srgb(image)) {
        color =
            (float4)(image_srgb[bits.x & 255], image_srgb[bits.y & 255], image_srgb[bits.z & 255], color.w);
    }
    return (float4)(image_component(image, color.x, 0), image_component(image, color.y, 1),
                    image_component(image, color.z, 2), image_component(image, color.w, 3));
}

static inline float image_component_scale(ulong image, uint component) {
    uint source = image_source(image, component);
    bool is_plain = source >= IS_ZERO || (image_is_srgb(image) && component < 3);
    return is_plain ? 1.0f : image_scale(image, source & 3);
}

static float4 image_color_scale(ulong image) {
    return (float4)(image_component_scale(image, 0), image_component_scale(image, 1),
                    image_component_scale(image, 2), image_component_scale(image, 3));
}

static float4 image_color(ulong image, uint4 words) {
    return image_unscaled_color(image, words) * image_color_scale(image);
}

static inline int image_integer_component(ulong image, uint4 words, uint component) {
    uint source = image_sources[image_order(image)][component];
    int x = (int)image_channel(image, words, source & 3);
    return source < IS_ZERO ? x : source == IS_ONE;
}

static int4 image_integers(ulong image, uint4 words) {
    return (int4)(image_integer_component(image, words, 0), image_integer_component(image, words, 1),
                  image_integer_component(image, words, 2), image_integer_component(image, words, 3));
}

/* ---- one coordinate ---- */

#define ADDRESS(sampler) ((uint)(sampler) & WEIR_SAMPLER_ADDRESS)
#define HAS_BORDER(s)    (ADDRESS(s) == CLK_ADDRESS_CLAMP)
#define IS_REPEAT(s)     (ADDRESS(s) == CLK_ADDRESS_REPEAT)
#define IS_MIRRORED(s)   (ADDRESS(s) == CLK_ADDRESS_MIRRORED_REPEAT)
#define IS_LINEAR(s)     (((uint)(s) & WEIR_SAMPLER_LINEAR) != 0)
#define IS_NORMALIZED(s) (((uint)(s) & WEIR_SAMPLER_NORMALIZED) != 0)

/* Also of NaNs something between the limits. */
static inline float image_limit(float x, float least, float most) {
    x = x > least ? x : least;
    return x < most ? x : most;
}

static inline int image_clamp(int x, int size) {
    x = x < size - 1 ? x : size - 1;
    return x > 0 ? x : 0;
}

/* The coordinate in texels (8.1), from one copy of the image if there are more. */
static inline float image_texels(ulong sampler, float x, int size) {
    float repeated = x - __builtin_elementwise_floor(x);
    float mirrored = __builtin_elementwise_abs(x - 2.0f * __builtin_elementwise_rint(0.5f * x));
    x = IS_REPEAT(sampler) ? repeated : IS_MIRRORED(sampler) ? mirrored : x;
    return IS_NORMALIZED(sampler) ? x * (float)size : x;
}

/* The nearest texel's, and whether it is inside. */
static inline int image_nearest(ulong sampler, float x, int size, bool *inside) {
    float u = image_texels(sampler, x, size);
    *inside &= !HAS_BORDER(sampler) || (u >= 0.0f && u < (float)size);
    int i = (int)image_limit(u, 0.0f, (float)(IS_REPEAT(sampler) ? size : size - 1));
    return IS_REPEAT(sampler) && i >= size ? 0 : i;
}

static inline int image_integer(ulong sampler, int x, int size, bool *inside) {
    int i = image_clamp(x, size);
    *inside &= !HAS_BORDER(sampler) || i == x;
    return i;
}

/* The two texels that a coordinate lies between, brought into the image, whether they are inside, and how near the
 * upper one is. All but CLAMP find the lower one from -1 to size - 1; there it's size - 1 or 0 that -1 and size stand for. */
static inline int2 image_pair(ulong sampler, float x, int size, bool inside[2], float *weight) {
    float u = image_texels(sampler, x, size) - 0.5f, floor = __builtin_elementwise_floor(u);
    float least = HAS_BORDER(sampler) ? -2.0f : -1.0f, most = (float)(HAS_BORDER(sampler) ? size : size - 1);
    int low = (int)image_limit(floor, least, most), high = low + 1;
    *weight = u - floor;
    inside[0] = !HAS_BORDER(sampler) || (uint)low < (uint)size;
    inside[1] = !HAS_BORDER(sampler) || (uint)high < (uint)size;
    bool is_round =
        IS_REPEAT(sampler) || HAS_BORDER(sampler); /* -1 as an unsigned number is beyond size - 1 */
    int first = is_round ? (int)__builtin_elementwise_min((uint)low, (uint)size - 1)
                         : __builtin_elementwise_max(low, 0);
    int last = IS_REPEAT(sampler)    ? (high < size ? high : 0)
               : HAS_BORDER(sampler) ? (int)__builtin_elementwise_min((uint)high, (uint)size - 1)
                                     : __builtin_elementwise_min(high, size - 1);
    return (int2)(first, last);
}

static inline int image_layer(float layer, int layers) {
    return (int)image_limit(__builtin_elementwise_rint(layer), 0.0f, (float)(layers - 1));
}

/* ---- sampling ---- */

static float4 image_inside(ulong image, float4 color, bool inside) {
    float4 border = (float4)(0.0f, 0.0f, 0.0f, image_border_is_opaque(image) ? 1.0f : 0.0f);
    return (float4)(inside ? color.x : border.x, inside ? color.y : border.y, inside ? color.z : border.z,
                    inside ? color.w : border.w);
}

static int4 image_integers_inside(ulong image, int4 color, bool inside) {
    int alpha = image_border_is_opaque(image);
    return (int4)(inside ? color.x : 0, inside ? color.y : 0, inside ? color.z : 0, inside ? color.w : alpha);
}

static long image_place_nearest(ulong image, image_level level, ulong sampler, float4 at, int dims,
                                bool is_array, bool *inside) {
    int x = image_nearest(sampler, at.x, image_size_x(level), inside), y = 0, z = 0;
    if (dims > 1) {
        y = image_nearest(sampler, at.y, image_size_y(level, dims), inside);
    }
    if (dims > 2) {
        z = image_nearest(sampler, at.z, image_size_z(level, dims), inside);
    }
    if (is_array) {
        z = image_layer(dims > 1 ? at.z : at.y, (int)level->array);
    }
    return image_index(image, level, x, y, z, dims, is_array);
}

static long image_place_integer(ulong image, image_level level, ulong sampler, int4 at, int dims,
                                bool is_array, bool *inside) {
    int x = image_integer(sampler, at.x, image_size_x(level), inside), y = 0, z = 0;
    if (dims > 1) {
        y = image_integer(sampler, at.y, image_size_y(level, dims), inside);
    }
    if (dims > 2) {
        z = image_integer(sampler, at.z, image_size_z(level, dims), inside);
    }
    if (is_array) {
        z = image_clamp(dims > 1 ? at.z : at.y, (int)level->array);
    }
    return image_index(image, level, x, y, z, dims, is_array);
}

/* The weighted sum of the 2, 4 or 8 texels around (8.2). */
static float4 image_filtered(ulong image, image_level level, ulong sampler, float4 at, int dims,
                             bool is_array) {
    float a, b = 0.0f, c = 0.0f;
    bool inside_x[2], inside_y[2] = {true, true}, inside_z[2] = {true, true};
    int2 x = image_pair(sampler, at.x, image_size_x(level), inside_x, &a), y = 0, z = 0;
    if (dims > 1) {
        y = image_pair(sampler, at.y, image_size_y(level, dims), inside_y, &b);
    }
    if (dims > 2) {
        z = image_pair(sampler, at.z, image_size_z(level, dims), inside_z, &c);
    }
    if (is_array) {
        z = image_layer(dims > 1 ? at.z : at.y, (int)level->array);
    }
    float4 sum = 0.0f;
    __attribute__((opencl_unroll_hint)) for (int corner = 0; corner < 1 << dims; corner++) {
        int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
        float weight = dx ? a : 1.0f - a;
        if (dims > 1) {
            weight *= dy ? b : 1.0f - b;
        }
        if (dims > 2) {
            weight *= dz ? c : 1.0f - c;
        }
        long index =
            image_index(image, level, dx ? x.y : x.x, dy ? y.y : y.x, dz ? z.y : z.x, dims, is_array);
        float4 color = image_unscaled_color(image, image_load(image, level, index));
        sum += weight * image_inside(image, color, inside_x[dx] && inside_y[dy] && inside_z[dz]);
    }
    return sum * image_color_scale(image);
}

static float4 image_sampled(ulong image, image_level level, ulong sampler, float4 at, int dims,
                            bool is_array) {
    if (IS_LINEAR(sampler)) {
        return image_filtered(image, level, sampler, at, dims, is_array);
    }
    bool inside = true;
    uint4 words =
        image_load(image, level, image_place_nearest(image, level, sampler, at, dims, is_array, &inside));
    return image_inside(image, image_color(image, words), inside);
}

/* Integers are not filtered. */
static int4 image_sampled_integers(ulong image, image_level level, ulong sampler, float4 at, int dims,
                                   bool is_array) {
    bool inside = true;
    uint4 words =
        image_load(image, level, image_place_nearest(image, level, sampler, at, dims, is_array, &inside));
    return image_integers_inside(image, image_integers(image, words), inside);
}

static float4 image_fetched(ulong image, ulong sampler, int4 at, int dims, bool is_array) {
    bool inside = true;
    image_level level = image_of(image)->level;
    uint4 words =
        image_load(image, level, image_place_integer(image, level, sampler, at, dims, is_array, &inside));
    return image_inside(image, image_color(image, words), inside);
}

static int4 image_fetched_integers(ulong image, ulong sampler, int4 at, int dims, bool is_array) {
    bool inside = true;
    image_level level = image_of(image)->level;
    uint4 words =
        image_load(image, level, image_place_integer(image, level, sampler, at, dims, is_array, &inside));
    return image_integers_inside(image, image_integers(image, words), inside);
}

/* ---- levels of mipmaps ---- */

/* The level of detail within the sampler's limits and the image's. */
static float image_detail(ulong image, ulong sampler, float lod) {
    float least = (float)(int)WEIR_SAMPLER_LOD_MIN(sampler) * (1.0f / 256.0f);
    int limit = (int)WEIR_SAMPLER_LOD_MAX(sampler);
    float most = (float)(int)(image_of(image)->levels - 1), given = (float)(limit - 1) * (1.0f / 256.0f);
    most = limit && given < most ? given : most;
    return image_limit(lod, least < most ? least : most, most);
}

static float4 image_sampled_at(ulong image, ulong sampler, float4 at, int dims, bool is_array, float lod) {
    float detail = image_detail(image, sampler, lod);
    bool is_mixed = (uint)sampler & WEIR_SAMPLER_MIP_LINEAR;
    int level = (int)(is_mixed ? detail : detail + 0.5f), last = (int)image_of(image)->levels - 1;
    image_level levels = image_of(image)->level;
    float4 color = image_sampled(image, levels + image_clamp(level, last + 1), sampler, at, dims, is_array);
    if (is_mixed) {
        float4 next =
            image_sampled(image, levels + image_clamp(level + 1, last + 1), sampler, at, dims, is_array);
        float weight = detail - (float)level;
        color = (1.0f - weight) * color + weight * next;
    }
    return color;
}

static int4 image_sampled_integers_at(ulong image, ulong sampler, float4 at, int dims, bool is_array,
                                      float lod) {
    int level = (int)(image_detail(image, sampler, lod) + 0.5f);
    image_level levels = image_of(image)->level;
    level = image_clamp(level, (int)image_of(image)->levels);
    return image_sampled_integers(image, levels + level, sampler, at, dims, is_array);
}

/* The level whose texels are as far apart as the coordinates of neighbours: by the longer one of their distances. */
static float image_lod(ulong image, float3 dx, float3 dy, int dims) {
    image_level level = image_of(image)->level;
    float3 size = (float3)((float)image_size_x(level), (float)image_size_y(level, dims),
                           (float)image_size_z(level, dims));
    dx *= size;
    dy *= size;
    float x = dx.x * dx.x, y = dy.x * dy.x;
    if (dims > 1) {
        x += dx.y * dx.y;
        y += dy.y * dy.y;
    }
    if (dims > 2) {
        x += dx.z * dx.z;
        y += dy.z * dy.z;
    }
    return 0.5f * log2(x > y ? x : y);
}

/* ---- the functions ---- */

#define BASE(image) (image_of(image)->level)
#define AT1(x)      ((float4)(x, 0.0f, 0.0f, 0.0f))
#define AT2(x)      ((float4)(x, 0.0f, 0.0f))
#define AT4(x)      (x)
#define INT1(x)     ((int4)(x, 0, 0, 0))
#define INT2(x)     ((int4)(x, 0, 0))
#define INT4(x)     (x)
#define SLOPE1(x)   ((float3)(x, 0.0f, 0.0f))
#define SLOPE2(x)   ((float3)(x, 0.0f))
#define SLOPE4(v)   ((v).s012)
#define WHOLE(x)    (x)
#define FIRST(v)    ((v).s0)
#define UNSIGNED(x) __builtin_astype(x, uint4)
#define HALVES4(x)  __builtin_convertvector(x, half4)

/* One result type. `suffix` of the function's name, the inner functions' `kind`, which is "" or _integers. Images of both
 * accesses are read without a sampler, read_only ones also with one. */
#define READ(access, image_t, R, suffix, kind, result, I, INT, dims, is_array)                               \
    OVERLOAD R read_image##suffix(access image_t image, I at) {                                              \
        IMAGE_AT(IMAGE_BITS(image), INT(at), 0, dims, is_array, 0);                                          \
        return result(                                                                                       \
            image_fetched##kind(IMAGE_BITS(image), CLK_ADDRESS_CLAMP_TO_EDGE, INT(at), dims, is_array));     \
    }
#define SAMPLE(image_t, R, suffix, kind, result, F, I, AT, INT, dims, is_array)                              \
    OVERLOAD R read_image##suffix(read_only image_t image, sampler_t sampler, F at) {                        \
        ulong bits = IMAGE_BITS(image);                                                                      \
        return result(image_sampled##kind(bits, BASE(bits), SAMPLER_BITS(sampler), AT(at), dims, is_array)); \
    }                                                                                                        \
    OVERLOAD R read_image##suffix(read_only image_t image, sampler_t sampler, I at) {                        \
        return result(                                                                                       \
            image_fetched##kind(IMAGE_BITS(image), SAMPLER_BITS(sampler), INT(at), dims, is_array));         \
    }
#define SAMPLE_MIP(image_t, R, suffix, kind, result, F, AT, G, SLOPE, dims, is_array)                        \
    OVERLOAD R read_image##suffix(read_only image_t image, sampler_t sampler, F at, float lod) {             \
        return result(image_sampled##kind##_at(IMAGE_BITS(image), SAMPLER_BITS(sampler), AT(at), dims,       \
                                               is_array, lod));                                              \
    }                                                                                                        \
    OVERLOAD R read_image##suffix(read_only image_t image, sampler_t sampler, F at, G dx, G dy) {            \
        ulong bits = IMAGE_BITS(image);                                                                      \
        float lod = image_lod(bits, SLOPE(dx), SLOPE(dy), dims);                                             \
        return result(image_sampled##kind##_at(bits, SAMPLER_BITS(sampler), AT(at), dims, is_array, lod));   \
    }

#define READ_COLORS(access, image_t, I, INT, dims, is_array)                                                 \
    READ(access, image_t, float4, f, , WHOLE, I, INT, dims, is_array)                                        \
    READ(access, image_t, half4, h, , HALVES4, I, INT, dims, is_array)                                       \
    READ(access, image_t, int4, i, _integers, WHOLE, I, INT, dims, is_array)                                 \
    READ(access, image_t, uint4, ui, _integers, UNSIGNED, I, INT, dims, is_array)
#define READ_ACCESS(access)                                                                                  \
    READ_COLORS(access, image1d_t, int, INT1, 1, false)                                                      \
    READ_COLORS(access, image1d_buffer_t, int, INT1, 1, false)                                               \
    READ_COLORS(access, image1d_array_t, int2, INT2, 1, true)                                                \
    READ_COLORS(access, image2d_t, int2, INT2, 2, false)                                                     \
    READ_COLORS(access, image2d_array_t, int4, INT4, 2, true)                                                \
    READ_COLORS(access, image3d_t, int4, INT4, 3, false)                                                     \
    READ(access, image2d_depth_t, float, f, , FIRST, int2, INT2, 2, false)                                   \
    READ(access, image2d_array_depth_t, float, f, , FIRST, int4, INT4, 2, true)
READ_ACCESS(read_only)
READ_ACCESS(read_write)

#define SAMPLE_COLORS(image_t, F, I, AT, INT, G, SLOPE, dims, is_array)                                      \
    SAMPLE(image_t, float4, f, , WHOLE, F, I, AT, INT, dims, is_array)                                       \
    SAMPLE(image_t, half4, h, , HALVES4, F, I, AT, INT, dims, is_array)                                      \
    SAMPLE(image_t, int4, i, _integers, WHOLE, F, I, AT, INT, dims, is_array)                                \
    SAMPLE(image_t, uint4, ui, _integers, UNSIGNED, F, I, AT, INT, dims, is_array)                           \
    SAMPLE_MIP(image_t, float4, f, , WHOLE, F, AT, G, SLOPE, dims, is_array)                                 \
    SAMPLE_MIP(image_t, int4, i, _integers, WHOLE, F, AT, G, SLOPE, dims, is_array)                          \
    SAMPLE_MIP(image_t, uint4, ui, _integers, UNSIGNED, F, AT, G, SLOPE, dims, is_array)
#define SAMPLE_DEPTH(image_t, F, I, AT, INT, is_array)                                                       \
    SAMPLE(image_t, float, f, , FIRST, F, I, AT, INT, 2, is_array)                                           \
    SAMPLE_MIP(image_t, float, f, , FIRST, F, AT, float2, SLOPE2, 2, is_array)
SAMPLE_COLORS(image1d_t, float, int, AT1, INT1, float, SLOPE1, 1, false)
SAMPLE_COLORS(image1d_array_t, float2, int2, AT2, INT2, float, SLOPE1, 1, true)
SAMPLE_COLORS(image2d_t, float2, int2, AT2, INT2, float2, SLOPE2, 2, false)
SAMPLE_COLORS(image2d_array_t, float4, int4, AT4, INT4, float2, SLOPE2, 2, true)
SAMPLE_COLORS(image3d_t, float4, int4, AT4, INT4, float4, SLOPE4, 3, false)
SAMPLE_DEPTH(image2d_depth_t, float2, int2, AT2, INT2, false)
SAMPLE_DEPTH(image2d_array_depth_t, float4, int4, AT4, INT4, true)

/* What clang makes of a sampler in the program. */
__constant void *__translate_sampler_initializer(int bits) {
    return (__constant void *)(ulong)(uint)bits;
}
