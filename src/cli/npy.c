/* npy.c: reads and writes numpy's array files (format 1.0 to 3.0), little-endian and in C order.
 *
 * A file is "\x93NUMPY", two version bytes, the header's length (2 bytes, from 2.0 on 4), the header, which
 * is a Python dictionary with 'descr', 'fortran_order' and 'shape', and the data. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1 };

bool npy_is(const void *bytes, size_t n) {
    return n > MAGIC + 4 && !memcmp(bytes, magic, MAGIC);
}

/* The text right after 'key': in the header. */
static const char *field(const char *header, const char *key) {
    char *quoted = must_printf("'%s'", key);
    const char *at = strstr(header, quoted);
    size_t skip = strlen(quoted);
    free(quoted);
    if (!at)
        return NULL;
    at += skip;
    at += strspn(at, " ");
    if (*at++ != ':')
        return NULL;
    return at + strspn(at, " ");
}

static bool dtype_matches(const char *descr, const struct type *type) {
    char order = descr[1];
    return (order == '<' || (order == '|' && type->bytes == 1)) &&
           !strncmp(descr + 2, type->npy, strlen(type->npy)) && descr[2 + strlen(type->npy)] == '\'';
}

/* Number of scalars, or false for a malformed or overflowing shape. */
static bool shape_count(const char *at, size_t *count, unsigned *dims) {
    *count = 1, *dims = 0;
    if (*at++ != '(')
        return false;
    while (*at && *at != ')') {
        char *end;
        unsigned long long n = strtoull(at, &end, 10);
        if (end == at || __builtin_mul_overflow(*count, (size_t)n, count))
            return false;
        ++*dims;
        at = end + strspn(end, "L, ");
    }
    return *at == ')';
}

static const char *header_check(const char *header, const struct type *type, size_t *count) {
    const char *descr = field(header, "descr"), *order = field(header, "fortran_order"),
               *shape = field(header, "shape");
    unsigned dims;
    if (!descr || !order || !shape || *descr != '\'' || !shape_count(shape, count, &dims))
        return "has no valid .npy header (arrays of plain numbers only)";
    if (!dtype_matches(descr, type))
        return must_printf("holds %.*s, not %s (numpy '%s'): convert it with a.astype('%s')",
                           (int)strcspn(descr + 1, "'") + 2, descr, type->name, type->npy, type->npy);
    if (!strncmp(order, "True", 4) && dims > 1)
        return "is in Fortran order: convert it with numpy.ascontiguousarray(a)";
    return NULL;
}

const char *npy_read(const void *bytes, size_t n, const struct type *type, const void **data,
                     size_t *data_size) {
    const unsigned char *b = bytes;
    size_t start = b[MAGIC] == 1 ? MAGIC + 4 : MAGIC + 6, length = b[MAGIC + 2] | b[MAGIC + 3] << 8, count;
    if (n < start)
        return "is cut off";
    if (b[MAGIC] != 1)
        length |= (size_t)b[MAGIC + 4] << 16 | (size_t)b[MAGIC + 5] << 24;
    if (length > n - start)
        return "is cut off";
    char *header = must_alloc(length + 1);
    memcpy(header, b + start, length);
    const char *problem = header_check(header, type, &count);
    free(header);
    if (problem)
        return problem;
    if (count > (n - start - length) / type->bytes)
        return "is cut off";
    *data = b + start + length;
    *data_size = count * type->bytes;
    return NULL;
}

void npy_write(struct buf *out, const struct type *type, size_t count, const void *data) {
    struct buf header = {0};
    buf_printf(&header, "{'descr': '%c%s', 'fortran_order': False, 'shape': (%zu,",
               type->bytes == 1 ? '|' : '<', type->npy, count);
    if (type->lanes > 1)
        buf_printf(&header, " %u,", type->lanes);
    buf_printf(&header, "), }");
    while ((MAGIC + 4 + header.size + 1) % 64)
        buf_bytes(&header, " ", 1);
    buf_bytes(&header, "\n", 1);
    const unsigned char lead[] = {1, 0, header.size & 255, header.size >> 8};
    buf_bytes(out, magic, MAGIC);
    buf_bytes(out, lead, sizeof lead);
    buf_bytes(out, header.data, header.size);
    buf_free(&header);
    if (type_size(type) == (size_t)type->bytes * type->lanes) {
        buf_bytes(out, data, count * type_size(type));
        return;
    }
    for (size_t i = 0; i < count; i++) /* 3 lanes: leave the padding out */
        buf_bytes(out, (const char *)data + i * type_size(type), (size_t)type->bytes * type->lanes);
}
