/* meta.c: program metadata to bytes and back. The field lists here fix the format; a change of them
 * bumps WEIR_PROTOCOL.
 */
#include "abi.h"
#include "base.h"

#include <stdlib.h>

/* Fields in the order of the format: STR strings, U32 and U64 numbers, X3 three u32. */
#define ARG_FIELDS(STR, U32)                                                                                 \
    STR(name)                                                                                                \
    STR(type_name)                                                                                           \
    U32(kind)                                                                                                \
    U32(address_qual) U32(access_qual) U32(type_qual) U32(offset) U32(size) U32(align) U32(image_type)
#define KERNEL_FIELDS(STR, U32, U64, X3)                                                                     \
    STR(name)                                                                                                \
    STR(attributes)                                                                                          \
    U32(args_bytes)                                                                                          \
    X3(reqd_local)                                                                                           \
    X3(hint_local)                                                                                           \
    U32(subgroup_size)                                                                                       \
    U32(num_subgroups)                                                                                       \
    U64(local_bytes)                                                                                         \
    U64(private_bytes)                                                                                       \
    U32(has_barrier) U32(uses_subgroups) U32(is_block) U32(enqueues) U32(debug) U32(checked)
/* The fewest bytes an encoded argument or kernel takes: bounds counts before anything is allocated. */
#define ARG_MIN    (2 * 8 + 8 * 4)
#define KERNEL_MIN (2 * 8 + 15 * 4 + 2 * 8 + 4)

#define STR(field) buf_str(b, x->field);
#define U32(field) buf_u32(b, x->field);
#define U64(field) buf_u64(b, x->field);
#define X3(field)                                                                                            \
    for (int i = 0; i < 3; i++)                                                                              \
        buf_u32(b, x->field[i]);

static void write_arg(struct buf *b, const struct arg_meta *x) {
    ARG_FIELDS(STR, U32)
}

static void write_kernel(struct buf *b, const struct kernel_meta *x) {
    KERNEL_FIELDS(STR, U32, U64, X3)
    buf_u32(b, x->nargs);
    for (uint32_t i = 0; i < x->nargs; i++)
        write_arg(b, &x->args[i]);
}

void meta_write(struct buf *b, const struct program_meta *meta) {
    buf_u64(b, meta->globals_bytes);
    buf_u32(b, meta->has_constructors);
    buf_u32(b, meta->nkernels);
    for (uint32_t i = 0; i < meta->nkernels; i++)
        write_kernel(b, &meta->kernels[i]);
}

#undef STR
#undef U32
#undef U64
#undef X3
#define STR(field) x->field = cursor_str(c);
#define U32(field) x->field = cursor_u32(c);
#define U64(field) x->field = cursor_u64(c);
#define X3(field)                                                                                            \
    for (int i = 0; i < 3; i++)                                                                              \
        x->field[i] = cursor_u32(c);

static void *read_array(struct cursor *c, uint32_t *count, size_t min_bytes, size_t elem) {
    uint32_t n = cursor_u32(c);
    if (n > (size_t)(c->end - c->at) / min_bytes)
        c->failed = true;
    void *array = c->failed ? NULL : calloc(n ? n : 1, elem);
    if (!array)
        c->failed = true;
    *count = array ? n : 0;
    return array;
}

static void read_arg(struct cursor *c, struct arg_meta *x) {
    ARG_FIELDS(STR, U32)
    c->failed |= x->kind > ARG_QUEUE;
}

/* What the runtime relies on when it copies arguments: each lies inside the block, which is of a size that a program may
 * have. */
static bool layout_ok(const struct kernel_meta *k) {
    enum { ARGS_MOST = 1 << 24 }; /* bytes: far more than a device takes */
    if (k->args_bytes > ARGS_MOST)
        return false;
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct arg_meta *a = &k->args[i];
        bool pointer = a->kind != ARG_VALUE;
        if (a->offset > k->args_bytes || a->size > k->args_bytes - a->offset || (pointer && a->size != 8))
            return false;
    }
    return true;
}

static void read_kernel(struct cursor *c, struct kernel_meta *x) {
    KERNEL_FIELDS(STR, U32, U64, X3)
    x->args = read_array(c, &x->nargs, ARG_MIN, sizeof *x->args);
    for (uint32_t i = 0; i < x->nargs && !c->failed; i++)
        read_arg(c, &x->args[i]);
    if (!c->failed)
        c->failed = !layout_ok(x);
}

bool meta_read(struct cursor *c, struct program_meta *meta) {
    *meta = (struct program_meta){.globals_bytes = cursor_u64(c)};
    meta->has_constructors = cursor_u32(c);
    meta->kernels = read_array(c, &meta->nkernels, KERNEL_MIN, sizeof *meta->kernels);
    for (uint32_t i = 0; i < meta->nkernels && !c->failed; i++)
        read_kernel(c, &meta->kernels[i]);
    c->failed |= meta->globals_bytes > WEIR_MAX_GLOBALS;
    if (c->failed)
        meta_free(meta);
    return !c->failed;
}

void meta_free(struct program_meta *meta) {
    for (uint32_t i = 0; i < meta->nkernels; i++) {
        struct kernel_meta *k = &meta->kernels[i];
        for (uint32_t j = 0; j < k->nargs; j++) {
            free(k->args[j].name);
            free(k->args[j].type_name);
        }
        free(k->args);
        free(k->name);
        free(k->attributes);
    }
    free(meta->kernels);
    *meta = (struct program_meta){0};
}

uint32_t meta_subgroup_size(const struct kernel_meta *kernel, uint32_t asked, size_t row, size_t rows) {
    enum { LARGEST = 64 };
    if (kernel->subgroup_size)
        return kernel->subgroup_size;
    uint32_t size = asked ? asked : cpu_vector_bits() / 32;
    size = size > LARGEST ? LARGEST : size;
    while (size & (size - 1))
        size &= size - 1;
    while (row && size / 2 >= row)
        size /= 2;
    while (rows > 1 && size < row && row % size)
        size /= 2;
    return size;
}

struct group_rows meta_group_rows(const size_t local[3], bool one_row) {
    size_t rows = local[1] * local[2];
    return one_row ? (struct group_rows){local[0] * rows, 1} : (struct group_rows){local[0], rows};
}

size_t meta_packs_of_row(struct group_rows rows, size_t width) {
    return (rows.length + width - 1) / width;
}

bool meta_is_one_row(const struct kernel_meta *kernel, uint32_t size, size_t row, size_t rows) {
    return kernel->uses_subgroups && rows > 1 && row % size && (kernel->subgroup_size || row > size);
}
