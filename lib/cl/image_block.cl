/* image_block.cl: cl_intel_subgroups on images: a sub-group reads or writes a block of bytes of a 2D image as they are.
 *
 * In: the block's first byte in a row (of the first work-item's coordinate) and its row. Component j is of the j-th row,
 * and lane i's part of a row lies i elements after the first. Beyond the image's edges the element at the edge is read, and
 * nothing is written. */
#include "image.h"

static inline long row_bytes(ulong image) {
    return (long)image_of(image)->level[0].width << image_texel_size(image);
}

static inline global uchar *row_at(ulong image, int y) {
    image_level level = &image_of(image)->level[0];
    int last = (int)level->height - 1, row = y < 0 ? 0 : y > last ? last : y;
    return (global uchar *)(ulong)level->data + (ulong)row * level->row_pitch;
}

static inline long byte_at(int x, uint size) {
    return (long)__weir_sub_first_int(x) + (long)__weir_sub_lane() * size;
}

#define READ(T)                                                                                              \
    static inline T read_##T(ulong image, int x, int y) {                                                    \
        long last = row_bytes(image) - (long)sizeof(T), at = byte_at(x, sizeof(T));                          \
        at = at > last ? last : at;                                                                          \
        at = at < 0 ? 0 : at;                                                                                \
        return *(global T *)(row_at(image, y) + at);                                                         \
    }                                                                                                        \
    static inline void write_##T(ulong image, int x, int y, T value) {                                       \
        long at = byte_at(x, sizeof(T));                                                                     \
        bool inside = at >= 0 && at + (long)sizeof(T) <= row_bytes(image) && y >= 0 &&                       \
                      y < (int)image_of(image)->level[0].height;                                             \
        if (inside) {                                                                                        \
            *(global T *)(row_at(image, y) + at) = value;                                                    \
        }                                                                                                    \
    }
READ(uchar)
READ(ushort)
READ(uint)
READ(ulong)

#define READ_ROW(T, i)  read_##T(bits, at.x, y + 0x##i)
#define WRITE_ROW(T, i) write_##T(bits, at.x, y + 0x##i, value.s##i)
#define ROWS2(F, T)     F(T, 0), F(T, 1)
#define ROWS4(F, T)     ROWS2(F, T), F(T, 2), F(T, 3)
#define ROWS8(F, T)     ROWS4(F, T), F(T, 4), F(T, 5), F(T, 6), F(T, 7)
#define ROWS16(F, T)                                                                                         \
    ROWS8(F, T), F(T, 8), F(T, 9), F(T, a), F(T, b), F(T, c), F(T, d), F(T, e), F(T, f)

#define READS(T, access, form)                                                                               \
    OVERLOAD T intel_sub_group_block_read##form(access image2d_t image, int2 at) {                           \
        return read_##T(IMAGE_BITS(image), at.x, __weir_sub_first_int(at.y));                                \
    }                                                                                                        \
    READS_OF(T, access, form, 2) READS_OF(T, access, form, 4) READS_OF(T, access, form, 8)
#define READS_OF(T, access, form, n)                                                                         \
    OVERLOAD T##n intel_sub_group_block_read##form##n(access image2d_t image, int2 at) {                     \
        ulong bits = IMAGE_BITS(image);                                                                      \
        int y = __weir_sub_first_int(at.y);                                                                  \
        return (T##n)(ROWS##n(READ_ROW, T));                                                                 \
    }
#define WRITES(T, access, form)                                                                              \
    OVERLOAD void intel_sub_group_block_write##form(access image2d_t image, int2 at, T value) {              \
        write_##T(IMAGE_BITS(image), at.x, __weir_sub_first_int(at.y), value);                               \
    }                                                                                                        \
    WRITES_OF(T, access, form, 2) WRITES_OF(T, access, form, 4) WRITES_OF(T, access, form, 8)
#define WRITES_OF(T, access, form, n)                                                                        \
    OVERLOAD void intel_sub_group_block_write##form##n(access image2d_t image, int2 at, T##n value) {        \
        ulong bits = IMAGE_BITS(image);                                                                      \
        int y = __weir_sub_first_int(at.y);                                                                  \
        ROWS##n(WRITE_ROW, T);                                                                               \
    }
#define BLOCKS(T, form)                                                                                      \
    READS(T, read_only, form)                                                                                \
    READS(T, read_write, form)                                                                               \
    WRITES(T, write_only, form)                                                                              \
    WRITES(T, read_write, form)
#define SIXTEEN(T, form)                                                                                     \
    READS_OF(T, read_only, form, 16)                                                                         \
    READS_OF(T, read_write, form, 16)                                                                        \
    WRITES_OF(T, write_only, form, 16)                                                                       \
    WRITES_OF(T, read_write, form, 16)
BLOCKS(uint, )
BLOCKS(uint, _ui)
BLOCKS(ulong, _ul)
BLOCKS(ushort, _us)
BLOCKS(uchar, _uc)
SIXTEEN(ushort, _us)
SIXTEEN(uchar, _uc)
SIXTEEN(ulong, _ul)
