/* image.h: what the image functions share: an image's traits, its formats as tables, where a texel lies.
 *
 * An image is the address of its struct weir_image, with its traits in the upper bits (abi.h). All that depends on its
 * format alone is looked up in tables by the traits: the same for all work-items, and constants in a variant that is
 * made for the format. No code is chosen by format but what differs in kind: the size of an access, half numbers, sRGB.
 * Texels go through four words, the first channels in the low bits; a channel lies in one word. */
#ifndef WEIR_CL_IMAGE_H
#define WEIR_CL_IMAGE_H

#include "weir.h"

#define IMAGE_BITS(image)     ((ulong)__builtin_astype(image, global void *))
#define SAMPLER_BITS(sampler) ((ulong)__builtin_astype(sampler, __constant void *))

typedef __constant struct weir_image *image_object;
typedef __constant struct weir_image_level *image_level;

static inline image_object image_of(ulong image) {
    return (image_object)(image & ((1UL << WEIR_IMAGE_ADDRESS_BITS) - 1));
}

static inline uint image_order(ulong image) {
    return WEIR_TRAITS_ORDER(image >> WEIR_IMAGE_ADDRESS_BITS);
}

static inline uint image_type(ulong image) {
    return WEIR_TRAITS_TYPE(image >> WEIR_IMAGE_ADDRESS_BITS);
}

static inline bool image_is_small(ulong image) {
    return WEIR_TRAITS_SMALL(image >> WEIR_IMAGE_ADDRESS_BITS);
}

/* What the checker is told of coordinates (kc/lower/library_calls.c); what: WEIR_TEXEL_*. */
void __weir_image_at(ulong image, int x, int y, int z, int lod, uint what);
#define IMAGE_AT(image, at, lod, dims, is_array, more)                                                       \
    __weir_image_at(image, (at).x, (at).y, (at).z, lod, dims | (is_array ? WEIR_TEXEL_ARRAY : 0) | more)

/* ---- formats ---- */

/* By channel type, from CLK_SNORM_INT8 on. */
enum { KIND_SNORM, KIND_UNORM, KIND_SIGNED, KIND_UNSIGNED, KIND_HALF, KIND_FLOAT };
static __constant uchar image_kinds[32] = {
    KIND_SNORM,    KIND_SNORM,  KIND_UNORM,  KIND_UNORM,  KIND_UNORM,    KIND_UNORM,
    KIND_UNORM,    KIND_SIGNED, KIND_SIGNED, KIND_SIGNED, KIND_UNSIGNED, KIND_UNSIGNED,
    KIND_UNSIGNED, KIND_HALF,   KIND_FLOAT,  KIND_UNORM,  KIND_UNORM};
/* Bytes of a channel, or of all in one, as a power of two. */
static __constant uchar image_unit_sizes[32] = {0, 1, 0, 1, 1, 1, 2, 0, 1, 2, 0, 1, 2, 1, 2, 2, 2};
static __constant bool image_packs[32] = {[4] = true, [5] = true, [6] = true, [16] = true};
/* How many bits each channel has, and the first of them in the texel. */
#define SAME(n)  {n, n, n, n}
#define EVERY(n) {0, n, 2 * n, 3 * n}
static __constant uchar image_widths[32][4] = {
    SAME(8),         SAME(16), SAME(8),  SAME(16), {5, 6, 5, 1},   {5, 5, 5, 1},
    {10, 10, 10, 2}, SAME(8),  SAME(16), SAME(32), SAME(8),        SAME(16),
    SAME(32),        SAME(16), SAME(32), SAME(24), {10, 10, 10, 2}};
static __constant uchar image_places[32][4] = {
    EVERY(8),       EVERY(16), EVERY(8),  EVERY(16), {11, 5, 0, 0}, {10, 5, 0, 0},
    {20, 10, 0, 0}, EVERY(8),  EVERY(16), EVERY(32), EVERY(8),      EVERY(16),
    EVERY(32),      EVERY(16), EVERY(32), EVERY(32), {22, 12, 2, 0}};

/* By channel order, from CLK_R on: how many channels there are in memory, ... */
static __constant uchar image_counts[32] = {1, 1, 2, 2, 3, 4, 4, 4, 1, 1, 2, 3, 4, 1, 2, 3, 4, 4, 4, 4};
/* ... which of them is each component of a colour, or what that is instead, ... */
enum { IS_ZERO = 4, IS_ONE };
#define ZERO IS_ZERO
#define ONE  IS_ONE
static __constant uchar image_sources[32][4] = {
    {0, ZERO, ZERO, ONE}, {ZERO, ZERO, ZERO, 0}, {0, 1, ZERO, ONE}, {0, ZERO, ZERO, 1},   {0, 1, 2, ONE},
    {0, 1, 2, 3},         {2, 1, 0, 3},          {1, 2, 3, 0},      {0, 0, 0, 0},         {0, 0, 0, ONE},
    {0, ZERO, ZERO, ONE}, {0, 1, ZERO, ONE},     {0, 1, 2, ONE},    {0, ZERO, ZERO, ONE}, {0, 1, ZERO, ONE},
    {0, 1, 2, ONE},       {0, 1, 2, ONE},        {0, 1, 2, 3},      {2, 1, 0, 3},         {3, 2, 1, 0}};
/* ... and which component each channel in memory takes. */
static __constant uchar image_stores[32][4] = {
    {0},          {3},       {0, 1},    {0, 3},       {0, 1, 2},    {0, 1, 2, 3}, {2, 1, 0, 3},
    {3, 0, 1, 2}, {0},       {0},       {0},          {0, 1},       {0, 1, 2},    {0},
    {0},          {0, 1, 2}, {0, 1, 2}, {0, 1, 2, 3}, {2, 1, 0, 3}, {3, 2, 1, 0}};
#undef ZERO
#undef ONE

static inline bool image_is_srgb(ulong image) {
    return image_order(image) >= CLK_sRGB - CLK_R && image_order(image) <= CLK_sBGRA - CLK_R;
}

/* Alpha of the colour around the image (6.15.15.1.1): of R, RG, RGB and LUMINANCE, else 0. */
static inline bool image_border_is_opaque(ulong image) {
    return 0x215 >> image_order(image) & 1;
}

/* As a power of two. Of three channels there are packed ones only. */
static inline uint image_texel_size(ulong image) {
    uint unit = image_unit_sizes[image_type(image)], count = image_counts[image_order(image)];
    return image_packs[image_type(image)] ? unit : unit + (count >> 1);
}

/* ---- texels ---- */

/* As wide as they may be, of any address; what else the program does to the memory may be the same bytes. */
#define TEXEL(T, name) typedef T name __attribute__((aligned(1), may_alias));
TEXEL(uchar, image_texel1)
TEXEL(ushort, image_texel2)
TEXEL(uint, image_texel4)
TEXEL(uint2, image_texel8)
TEXEL(uint4, image_texel16)

/* Which texel of a level it is, from its first one on. In a small image 32 bits tell (abi.h). */
static inline long image_index(ulong image, image_level level, int x, int y, int z, int dims, bool is_array) {
    uint size = image_texel_size(image);
    ulong row = level->row_pitch >> size, slice = level->slice_pitch >> size;
    bool has_row = dims > 1, has_slice = dims > 2 || is_array;
    int narrow = x;
    long wide = x;
    if (has_row) {
        narrow += y * (int)row;
        wide += y * (long)row;
    }
    if (has_slice) {
        narrow += z * (int)slice;
        wide += z * (long)slice;
    }
    return image_is_small(image) ? narrow : wide;
}

/* The same coordinates everywhere: 1 to 3 of the image, then perhaps the layer. */
static inline int image_size_x(image_level level) {
    return (int)level->width;
}
static inline int image_size_y(image_level level, int dims) {
    return dims > 1 ? (int)level->height : 1;
}
static inline int image_size_z(image_level level, int dims) {
    return dims > 2 ? (int)level->depth : 1;
}

#endif
