/* relational.c: relational functions (OpenCL C 6.15.6) and shuffles (6.15.13), exactly. */
#include "builtin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_result(const struct call *c, size_t place, int64_t want, char why[160]) {
    snprintf(why, 160, "%lld", (long long)want);
    return integer_at(c->declared->result.type, c->result, place) == want;
}

/* ---- comparisons: 1 for a true scalar, -1 for a true element ---- */

#define TRUTH(name, expression)                                                                              \
    static bool t_##name(enum type t, double x, double y) {                                                  \
        return expression;                                                                                   \
    }
TRUTH(isequal, x == y)
TRUTH(isnotequal, x != y)
TRUTH(isgreater, x > y)
TRUTH(isgreaterequal, x >= y)
TRUTH(isless, x < y)
TRUTH(islessequal, x <= y)
TRUTH(islessgreater, x<y || x> y)
TRUTH(isfinite, isfinite(x))
TRUTH(isinf, isinf(x))
TRUTH(isnan, isnan(x))
TRUTH(isnormal, isfinite(x) && fabs(x) >= least_normal(t))
TRUTH(isordered, x == x && y == y)
TRUTH(isunordered, x != x || y != y)
TRUTH(signbit, signbit(x))

static bool check_truth(const struct call *c, size_t place, char why[160]) {
    bool (*truth)(enum type, double, double) = (bool (*)(enum type, double, double))c->family->data;
    enum type t = c->declared->params[0].type;
    double x = real_at(t, c->params[0], place),
           y = c->declared->nparams > 1 ? real_at(t, c->params[1], place) : 0;
    return is_result(c, place, truth(t, x, y) ? (c->width == 1 ? 1 : -1) : 0, why);
}

/* ---- any and all: the upper bits of all elements ---- */

static bool check_some(const struct call *c, size_t place, char why[160]) {
    unsigned set = 0;
    for (unsigned j = 0; j < c->width; j++) {
        set += integer_at(c->declared->params[0].type, c->params[0], place + j * (c->items)) < 0;
    }
    return is_result(c, place, c->declared->name[1] == 'n' ? set > 0 : set == c->width, why);
}

static void values_some(const struct declared *d, unsigned index, enum type t, void *array) {
    values_any(d, index, t, array);
    for (size_t p = 0; p < PLACES; p++) {
        unsigned kind = random_bits() % 19; /* upper bits that are mostly set, mostly clear, or mixed */
        if (kind > 2) {
            int64_t x = integer_at(t, array, p), least = INT64_MIN >> (64 - 8 * type_sizes[t]);
            integer_put(t, array, p, kind < 11 ? x | least : x & ~least);
        }
    }
}

/* ---- selections ---- */

static uint64_t bits_at(enum type t, const void *array, size_t place) {
    uint64_t x = 0;
    memcpy(&x, (const char *)array + place * type_sizes[t], type_sizes[t]);
    return x;
}

static bool check_choice(const struct call *c, size_t place, char why[160]) {
    enum type t = c->declared->params[0].type, choice = c->declared->params[2].type;
    uint64_t x = bits_at(t, c->params[0], place), y = bits_at(t, c->params[1], place),
             z = bits_at(choice, c->params[2], place), upper = UINT64_C(1) << (8 * type_sizes[choice] - 1),
             want = c->family->data                        ? (x & ~z) | (y & z)
                    : (c->width == 1 ? z != 0 : z & upper) ? y
                                                           : x;
    snprintf(why, 160, "0x%llx", (unsigned long long)want);
    return bits_at(t, c->result, place) == want;
}

/* ---- shuffle and shuffle2: element i of the result is the one that the mask's element i names ---- */

static bool check_shuffle(const struct call *c, size_t place, char why[160]) {
    const struct declared *d = c->declared;
    unsigned sources = d->nparams - 1, width = d->params[0].width, items = c->items;
    uint64_t from = bits_at(d->params[sources].type, c->params[sources], place) & (sources * width - 1);
    uint64_t want = bits_at(d->result.type, c->params[from / width], place % items + from % width * items);
    snprintf(why, 160, "0x%llx", (unsigned long long)want);
    return bits_at(d->result.type, c->result, place) == want;
}

#define COMPARE(name) {#name, values_any, check_truth, (const void *)t_##name, 6}
static const struct family families[] = {
    COMPARE(isequal),
    COMPARE(isnotequal),
    COMPARE(isgreater),
    COMPARE(isgreaterequal),
    COMPARE(isless),
    COMPARE(islessequal),
    COMPARE(islessgreater),
    COMPARE(isfinite),
    COMPARE(isinf),
    COMPARE(isnan),
    COMPARE(isnormal),
    COMPARE(isordered),
    COMPARE(isunordered),
    COMPARE(signbit),
    {"any", values_some, check_some, NULL, 6},
    {"all", values_some, check_some, NULL, 6},
    {"bitselect", values_any, check_choice, "", 6},
    {"select", values_any, check_choice, NULL, 6},
    {"shuffle*", values_any, check_shuffle, NULL, 12},
};

int main(int argc, char **argv) {
    return builtin_main(argc, argv, families, sizeof families / sizeof *families, "", NULL);
}
