/* groups.c: what the work-items of a work-group or a sub-group compute together (OpenCL C 6.15.16 to 6.15.19, the
 * extensions of sub-groups, Intel's): reductions, scans, broadcasts, shuffles, rotations and block accesses, exactly. Numbers
 * are such that sums and products of floats are exact in any order. */
#include "builtin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZE = PLACES * 8,
    LANE = PLACES * 16
}; /* behind the result: the sub-group's size, the work-item's number in it */

static bool has(const struct call *c, const char *word) {
    return strstr(c->declared->name, word);
}

/* Of clusters: a power of two that no sub-group is smaller than. */
static unsigned cluster(void) {
    const char *width = getenv("WEIR_WIDTH");
    return width && !strcmp(width, "1") ? 1 : 4;
}

static void emit_sizes(FILE *f, const struct call *c) {
    fprintf(f, "        ((global uint *)(out + %zu))[g] = get_sub_group_size();\n", c->result_at + SIZE);
    fprintf(f, "        ((global uint *)(out + %zu))[g] = get_sub_group_local_id();\n", c->result_at + LANE);
}

static void emit_value(FILE *f, const struct call *c, unsigned i) {
    struct param p = c->declared->params[i];
    char type[32];
    fprintf(f, "(%s)(", spelled(p, type));
    for (unsigned j = 0; j < p.width; j++) {
        fprintf(f, "%s((global const %s *)(in + %zu))[g + %u]", j ? ", " : "", type_names[p.type], c->in[i],
                j * c->items);
    }
    fprintf(f, ")");
}

/* The argument that tells of another work-item. */
static const char *other_item(const struct call *c, unsigned i) {
    const struct declared *d = c->declared;
    static char text[32];
    if (has(c, "work_group_broadcast")) {
        return i == 1 ? "5" : "0";
    }
    if (has(c, "clustered") && i == d->nparams - 1) {
        snprintf(text, sizeof text, "%u", cluster());
        return text;
    }
    return has(c, "non_uniform_broadcast") ? "0"
           : has(c, "broadcast")           ? "get_sub_group_size() - 1"
           : has(c, "xor")                 ? "get_sub_group_size() / 2"
           : has(c, "rotate")              ? "3"
           : has(c, "shuffle_up") || has(c, "shuffle_down")
               ? "1 % get_max_sub_group_size()"
               : "(get_sub_group_local_id() * 5 + 3) % get_sub_group_size()";
}

/* Whether argument i tells of another work-item, instead of being a value: there are two of those in Intel's shuffles. */
static bool tells(const struct call *c, unsigned i) {
    const struct declared *d = c->declared;
    bool two = has(c, "intel_sub_group_shuffle_up") || has(c, "intel_sub_group_shuffle_down");
    return has(c, "reduce") && !has(c, "clustered") ? false : i > (two ? 1u : 0u) && d->nparams > 1;
}

static void emit(FILE *f, const struct call *c) {
    const struct declared *d = c->declared;
    char type[32];
    fprintf(f, "        %s r = %s(", spelled(d->result, type), d->name);
    for (unsigned i = 0; i < d->nparams; i++) {
        fprintf(f, i ? ", " : "");
        if (tells(c, i)) {
            fprintf(f, "%s", other_item(c, i));
        } else {
            emit_value(f, c, i);
        }
    }
    fprintf(f, ");\n");
    emit_stores(f, c, d->result, "r", c->result_at);
    emit_sizes(f, c);
}

static void emit_block(FILE *f, const struct call *c) {
    const struct declared *d = c->declared;
    const char *element = type_names[d->params[0].type];
    char type[32];
    bool reads = has(c, "read");
    unsigned n = c->width;
    fprintf(f, "        size_t first = (g - get_sub_group_local_id()) * %u;\n        ", n);
    if (reads) {
        fprintf(f, "%s r = %s((global const %s *)(in + %zu) + first);\n", spelled(d->result, type), d->name,
                element, c->in[0]);
        emit_stores(f, c, d->result, "r", c->result_at);
    } else {
        fprintf(f, "%s((global %s *)(out + %zu) + first, ", d->name, element, c->out[0]);
        emit_value(f, c, 1);
        fprintf(f, ");\n");
    }
    emit_sizes(f, c);
}

static int64_t bits_at(enum type t, const void *array, size_t place) {
    int64_t x = 0;
    memcpy(&x, (const char *)array + place * type_sizes[t], type_sizes[t]);
    return x;
}

static unsigned size_at(const struct call *c, size_t item, size_t offset) {
    return ((uint32_t *)((char *)c->result + offset))[item];
}

static bool is_same(const struct call *c, size_t place, int64_t want, char why[160]) {
    enum type t = c->declared->result.type;
    snprintf(why, 160, "0x%llx, lane %u of %u", (long long)want, size_at(c, place % c->items, LANE),
             size_at(c, place % c->items, SIZE));
    return bits_at(t, c->result, place) == bits_at(t, &want, 0);
}

/* ---- reductions and scans ---- */

static int64_t joined(const struct call *c, int64_t x, int64_t y) {
    enum type t = c->declared->result.type;
    bool less = is_signed(t) ? x < y : (uint64_t)x < (uint64_t)y;
    return has(c, "logical_and")   ? x && y
           : has(c, "logical_or")  ? x || y
           : has(c, "logical_xor") ? !x != !y
           : has(c, "_add")        ? x + y
           : has(c, "_mul")        ? x * y
           : has(c, "_min")        ? (less ? x : y)
           : has(c, "_max")        ? (less ? y : x)
           : has(c, "_and")        ? x & y
           : has(c, "_xor")        ? x ^ y
                                   : x | y;
}

static double joined_reals(const struct call *c, double x, double y) {
    return has(c, "_add") ? x + y : has(c, "_mul") ? x * y : has(c, "_min") ? (x < y ? x : y) : x > y ? x : y;
}

static int64_t identity(const struct call *c) {
    enum type t = c->declared->result.type;
    int64_t least = is_signed(t) ? INT64_MIN >> (64 - 8 * type_sizes[t]) : 0;
    return has(c, "logical_and") || has(c, "_mul") ? 1
           : has(c, "_and")                        ? -1
           : has(c, "_min")                        ? (is_signed(t) ? ~least : -1)
           : has(c, "_max")                        ? least
                                                   : 0;
}

static double real_identity(const struct call *c) {
    return has(c, "_mul") ? 1 : has(c, "_min") ? __builtin_inf() : has(c, "_max") ? -__builtin_inf() : 0;
}

static bool check_arithmetic(const struct call *c, size_t place, char why[160]) {
    enum type t = c->declared->result.type;
    unsigned lane = size_at(c, place, LANE), size = size_at(c, place, SIZE);
    if (has(c, "work_group")) {
        lane = place % GROUP;
        size = GROUP;
    }
    size_t first = place - lane, end = first + size;
    if (has(c, "clustered")) {
        first = place - lane % cluster();
        end = first + cluster();
    }
    end = has(c, "inclusive") ? place + 1 : has(c, "exclusive") ? place : end;
    int64_t x = identity(c);
    double r = real_identity(c);
    for (size_t p = first; p < end; p++) {
        if (is_real(t)) {
            r = joined_reals(c, r, real_at(t, c->params[0], p));
        } else {
            int64_t y = integer_at(t, c->params[0], p);
            x = joined(c, x, y);
        }
    }
    if (is_real(t)) {
        snprintf(why, 160, "%a, lane %u of %u", r, lane, size);
        return real_at(t, c->result, place) == r;
    }
    return is_same(c, place, x, why);
}

/* Of reals powers of two and numbers of few bits. */
static void values(const struct declared *d, unsigned index, enum type t, void *array) {
    values_any(d, index, t, array);
    for (size_t p = 0; p < PLACES; p++) {
        if (is_real(t)) {
            double power = p % 7 == 0 ? 2 : p % 7 == 1 ? 0.5 : p % 5 ? 1 : -1;
            double most = t == HALF ? 31 : 1000, x = (double)(random_bits() % 2001) - 1000;
            real_put(t, array, p, strstr(d->name, "_mul") ? power : rint(x * most / 1000));
        } else if (strstr(d->name, "logical")) {
            integer_put(t, array, p, (int64_t)(random_bits() % 9 ? p % 64 < 32 : p % 64 >= 32));
        }
    }
}

/* ---- values of other work-items ---- */

static bool check_moved(const struct call *c, size_t place, char why[160]) {
    enum type t = c->declared->result.type;
    size_t item = place % c->items, row = place - item;
    unsigned lane = size_at(c, item, LANE), size = size_at(c, item, SIZE), delta = size > 1, param = 0, from;
    if (has(c, "work_group")) {
        return is_same(c, place, bits_at(t, c->params[0], row + item - item % GROUP + 5), why);
    }
    if (has(c, "clustered")) {
        from = lane - lane % cluster() + (lane + 3) % cluster();
    } else if (has(c, "broadcast")) {
        from = has(c, "non_uniform") || has(c, "first") ? 0 : size - 1;
    } else if (has(c, "xor")) {
        from = lane ^ size / 2;
    } else if (has(c, "rotate")) {
        from = (lane + 3) % size;
    } else if (has(c, "shuffle_down")) {
        param = has(c, "intel") && lane + delta >= size;
        from = (lane + delta) % size;
        if (!has(c, "intel") && lane + delta >= size) {
            return true;
        }
    } else if (has(c, "shuffle_up")) {
        param = has(c, "intel") && lane >= delta;
        from = (lane + size - delta) % size;
        if (!has(c, "intel") && lane < delta) {
            return true;
        }
    } else {
        from = (lane * 5 + 3) % size;
    }
    return is_same(c, place, bits_at(t, c->params[param], row + item - lane + from), why);
}

static bool check_block(const struct call *c, size_t place, char why[160]) {
    enum type t = c->declared->params[0].type;
    size_t item = place % c->items, j = place / c->items;
    unsigned lane = size_at(c, item, LANE), size = size_at(c, item, SIZE);
    size_t at = (item - lane) * c->width + j * size + lane;
    if (has(c, "read")) {
        return is_same(c, place, bits_at(t, c->params[0], at), why);
    }
    return bits_at(t, c->params[0], at) == bits_at(t, c->params[1], place);
}

#define ARITHMETIC(name) {name, values, check_arithmetic, NULL, 100, 0, emit}
#define MOVED(name)      {name, values_any, check_moved, NULL, 40, 0, emit}
static const struct family families[] = {
    ARITHMETIC("work_group_reduce_*"),
    ARITHMETIC("work_group_scan_*"),
    ARITHMETIC("sub_group_reduce_*"),
    ARITHMETIC("sub_group_scan_*"),
    ARITHMETIC("intel_sub_group_reduce_*"),
    ARITHMETIC("intel_sub_group_scan_*"),
    ARITHMETIC("sub_group_non_uniform_reduce_*"),
    ARITHMETIC("sub_group_non_uniform_scan_*"),
    ARITHMETIC("sub_group_clustered_reduce_*"),
    MOVED("work_group_broadcast"),
    MOVED("sub_group_broadcast"),
    MOVED("sub_group_broadcast_first"),
    MOVED("sub_group_non_uniform_broadcast"),
    MOVED("intel_sub_group_broadcast"),
    MOVED("sub_group_shuffle*"),
    MOVED("intel_sub_group_shuffle*"),
    MOVED("sub_group_rotate"),
    MOVED("sub_group_clustered_rotate"),
    {"intel_sub_group_block_read*", values_any, check_block, NULL, 40, 1, emit_block},
    {"intel_sub_group_block_write*", values_any, check_block, NULL, 40, 0, emit_block},
};

/* Blocks of images are the API's tests' (image_block). */
static bool is_of_memory(const struct declared *d) {
    return !strstr(d->text, "image2d_t");
}

int main(int argc, char **argv) {
    return builtin_main(argc, argv, families, sizeof families / sizeof *families, "", is_of_memory);
}
