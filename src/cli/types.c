/* types.c: OpenCL C's scalar and vector types as the command line reads, fills and prints them. */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* name, C type, class, numpy's descr */
#define TYPES(X)                                                                                             \
    X(char, int8_t, TYPE_INT, "i1")                                                                          \
    X(uchar, uint8_t, TYPE_UINT, "u1")                                                                       \
    X(short, int16_t, TYPE_INT, "i2")                                                                        \
    X(ushort, uint16_t, TYPE_UINT, "u2")                                                                     \
    X(int, int32_t, TYPE_INT, "i4")                                                                          \
    X(uint, uint32_t, TYPE_UINT, "u4")                                                                       \
    X(long, int64_t, TYPE_INT, "i8")                                                                         \
    X(ulong, uint64_t, TYPE_UINT, "u8")                                                                      \
    X(half, _Float16, TYPE_FLOAT, "f2")                                                                      \
    X(float, float, TYPE_FLOAT, "f4")                                                                        \
    X(double, double, TYPE_FLOAT, "f8")

static const struct type scalars[] = {
#define ROW(cl, c, class, npy) {#cl, npy, class, sizeof(c), 1},
    TYPES(ROW)
#undef ROW
};
enum { NSCALARS = sizeof scalars / sizeof *scalars };

size_t type_size(const struct type *type) {
    return (size_t)type->bytes * (type->lanes == 3 ? 4 : type->lanes);
}

static bool lanes_parse(const char *text, size_t n, unsigned *lanes) {
    static const struct {
        const char *text;
        unsigned lanes;
    } table[] = {{"", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}, {"16", 16}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strlen(table[i].text) == n && !memcmp(table[i].text, text, n)) {
            *lanes = table[i].lanes;
            return true;
        }
    return false;
}

/* The scalar that the type lies in memory as: atomic ones as those without it. */
static const char *stored_as(const char *name, size_t *n) {
    static const char *const others[][2] = {{"atomic_flag", "int"}, {"size_t", "ulong"},
                                            {"uintptr_t", "ulong"}, {"intptr_t", "long"},
                                            {"ptrdiff_t", "long"},  {"atomic_", NULL}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *known = others[i][0], *as = others[i][1];
        size_t length = strlen(known);
        if (!as && *n > length && !memcmp(name, known, length)) {
            *n -= length;
            return stored_as(name + length, n);
        }
        if (as && *n == length && !memcmp(name, known, length)) {
            *n = strlen(as);
            return as;
        }
    }
    return name;
}

bool type_parse(const char *name, size_t n, struct type *type) {
    name = stored_as(name, &n);
    for (int i = 0; i < NSCALARS; i++) {
        size_t length = strlen(scalars[i].name);
        unsigned lanes;
        if (n >= length && !memcmp(name, scalars[i].name, length) &&
            lanes_parse(name + length, n - length, &lanes)) {
            *type = scalars[i];
            type->lanes = lanes;
            return true;
        }
    }
    return false;
}

char *type_name(const struct type *type) {
    return type->lanes == 1 ? must_printf("%s", type->name) : must_printf("%s%u", type->name, type->lanes);
}

static bool is_type(const struct type *type, const char *name) {
    return !strcmp(type->name, name);
}

static void store(const struct type *type, void *out, int64_t i, double d) {
#define ROW(cl, c, class_, npy)                                                                              \
    if (is_type(type, #cl)) {                                                                                \
        c v = class_ == TYPE_FLOAT ? (c)d : (c)i;                                                            \
        memcpy(out, &v, sizeof v);                                                                           \
    }
    TYPES(ROW)
#undef ROW
}

void type_set(const struct type *type, void *out, double value) {
    int64_t i = value >= 0x1p63   ? (int64_t)(value < 0x1p64 ? (uint64_t)value : UINT64_MAX)
                : value > -0x1p63 ? (int64_t)value
                                  : INT64_MIN; /* also for NaN */
    store(type, out, type->class == TYPE_FLOAT ? 0 : i, value);
}

bool type_scan(const struct type *type, const char **text, void *out) {
    char *end;
    int64_t i = 0;
    double d = 0;
    const char *at = *text;
    errno = 0;
    if (isspace((unsigned char)*at))
        return false;
    if (type->class == TYPE_FLOAT) {
        d = strtod(at, &end);
        errno = 0; /* overflow to infinity and underflow are what the user wrote */
    } else if (type->class == TYPE_UINT && *at != '-') {
        uint64_t u = strtoull(at, &end, 0);
        if (type->bytes < 8 && u >> (8 * type->bytes))
            errno = ERANGE;
        i = (int64_t)u;
    } else {
        i = strtoll(at, &end, 0);
        int64_t limit = INT64_MAX >> (64 - 8 * type->bytes);
        if (i > limit || i < -limit - 1)
            errno = ERANGE;
    }
    if (errno || end == at)
        return false;
    store(type, out, i, d);
    *text = end;
    return true;
}

/* A short decimal form that reads back as the same value. */
static void print_float(double d, unsigned bytes) {
    char text[40];
    for (int digits = bytes == 2 ? 4 : 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, d);
        double back = strtod(text, NULL);
        if (bytes == 8 ? back == d : bytes == 4 ? (float)back == (float)d : (_Float16)back == (_Float16)d)
            break;
    }
    fputs(text, stdout);
}

static void print_scalar(const struct type *type, const void *at) {
    int64_t i = 0;
    double d = 0;
#define ROW(cl, c, class_, npy)                                                                              \
    if (is_type(type, #cl)) {                                                                                \
        c v;                                                                                                 \
        memcpy(&v, at, sizeof v);                                                                            \
        if (class_ == TYPE_FLOAT)                                                                            \
            d = (double)v;                                                                                   \
        else                                                                                                 \
            i = (int64_t)v;                                                                                  \
    }
    TYPES(ROW)
#undef ROW
    if (type->class == TYPE_FLOAT)
        print_float(d, type->bytes);
    else if (type->class == TYPE_UINT)
        printf("%" PRIu64, (uint64_t)i);
    else
        printf("%" PRId64, i);
}

void type_print(const struct type *type, const void *element) {
    if (type->lanes > 1)
        putchar('(');
    for (unsigned lane = 0; lane < type->lanes; lane++) {
        if (lane)
            fputs(", ", stdout);
        print_scalar(type, (const char *)element + (size_t)lane * type->bytes);
    }
    if (type->lanes > 1)
        putchar(')');
}
