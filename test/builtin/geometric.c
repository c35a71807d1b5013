/* geometric.c: geometric functions (OpenCL C 6.15.5) and the common ones that round (6.15.4), within the bounds of section
 * 7.4, against long double. */
#include "builtin.h"

#include <math.h>
#include <stdio.h>

static long double at(const struct call *c, unsigned param, size_t item, unsigned j) {
    const struct param *p = &c->declared->params[param];
    return real_at(p->type, c->params[param], item + (p->width == 1 ? 0 : j) * (c->items));
}

/* The length of x, or of x - y; `most`: of the products of elements. */
static long double length(const struct call *c, size_t item) {
    long double sum = 0;
    for (unsigned j = 0; j < c->width; j++) {
        long double x = at(c, 0, item, j) - (c->declared->nparams > 1 ? at(c, 1, item, j) : 0);
        sum += x * x;
    }
    return sqrtl(sum);
}

static bool is_within(const struct call *c, size_t place, long double want, long double error,
                      char why[160]) {
    enum type t = c->declared->result.type;
    long double got = real_at(t, c->result, place), least = (long double)least_normal(t) * unit(t);
    snprintf(why, 160, "%.9Lg, off by %.3Lg of %.3Lg", want, fabsl(got - want), error);
    return fabsl(got - want) <= error + least;
}

/* The function's number is its family's data. */
enum { DEGREES, RADIANS, MIX, MAD, SMOOTHSTEP, CROSS, DOT, DISTANCE, LENGTH, NORMALIZE, FAST };

static bool check_sized(const struct call *c, size_t place, char why[160]) {
    enum type t = c->declared->result.type;
    size_t items = c->items, item = place % items;
    unsigned kind = (unsigned)(uintptr_t)c->family->data, j = (unsigned)(place / items), n = c->width;
    long double e = unit(t), x = length(c, item), ulps = 2.75L + 0.5L * n;
    switch (kind % FAST) {
    case DISTANCE:
        ulps = 2.5L + 2 * n;
        break;
    case NORMALIZE:
        ulps = 2 + n;
        x = x == 0 ? 0 : at(c, 0, item, j) / x;
        break;
    }
    return is_within(c, place, x, fabsl(x) * e * (kind >= FAST ? 8192 + 2 * n : ulps), why);
}

static bool check_others(const struct call *c, size_t place, char why[160]) {
    enum type t = c->declared->result.type;
    size_t items = c->items, item = place % items;
    unsigned j = (unsigned)(place / items), k = (j + 1) % 3, l = (j + 2) % 3;
    long double e = unit(t), x = at(c, 0, item, j), most = 0, sum = 0;
    switch ((unsigned)(uintptr_t)c->family->data) {
    case DEGREES:
        return is_within(c, place, x * 57.295779513082320877L, fabsl(x) * 57.3L * 2 * e, why);
    case RADIANS:
        return is_within(c, place, x * 0.017453292519943295769L, fabsl(x) * 0.0175L * 2 * e, why);
    case MIX: {
        long double y = at(c, 1, item, j), a = at(c, 2, item, j);
        return is_within(c, place, x + (y - x) * a, 4 * e * (fabsl(x) + fabsl(y - x) * fabsl(a)), why);
    }
    case MAD: {
        long double xy = x * at(c, 1, item, j), z = at(c, 2, item, j);
        return is_within(c, place, xy + z, e * (fabsl(xy) + fabsl(z)), why);
    }
    case SMOOTHSTEP: {
        long double y = at(c, 1, item, j), z = at(c, 2, item, j), s = (z - x) / (y - x);
        s = s < 0 ? 0 : s > 1 ? 1 : s;
        return !(x < y) || is_within(c, place, s * s * (3 - 2 * s), 84 * e, why);
    }
    case CROSS: {
        long double a = j == 3 ? 0 : at(c, 0, item, k) * at(c, 1, item, l),
                    b = j == 3 ? 0 : at(c, 0, item, l) * at(c, 1, item, k);
        return is_within(c, place, a - b, 3 * e * (fabsl(a) + fabsl(b)), why);
    }
    default:
        for (unsigned i = 0; i < c->width; i++) {
            long double product = at(c, 0, item, i) * at(c, 1, item, i);
            sum += product;
            most += fabsl(product);
        }
        return is_within(c, place, sum, most * e * (2 * c->width - 1), why);
    }
}

/* Numbers of one magnitude for all elements of a place or of several; where only sizes matter up to the edges of the type's
 * range. */
static void values_sized(const struct declared *d, unsigned index, enum type t, void *array) {
    int most = t == HALF ? 12 : t == FLOAT ? 120 : 1000;
    for (size_t p = 0; p < PLACES; p++) {
        int scale = p % 3 ? 0 : (int)(p / 3 % 48) * most / 24 - most;
        real_put(t, array, p, ldexp(random_between(-1, 1), scale));
    }
}

static void values_near(const struct declared *d, unsigned index, enum type t, void *array) {
    int most = t == HALF ? 6 : 20;
    for (size_t p = 0; p < PLACES; p++) {
        double x = random_between(-1, 1);
        real_put(t, array, p,
                 p % 5 == 0   ? rint(x * 4)
                 : p % 5 == 1 ? x
                              : ldexp(x, (int)(random_bits() % 40) * most / 20 - most));
    }
}

#define SIZED(name, kind)  {#name, values_sized, check_sized, (const void *)(uintptr_t)(kind), 60}
#define FASTER(name, kind) {#name, values_near, check_sized, (const void *)(uintptr_t)(FAST + (kind)), 30}
#define OTHERS(name, kind) {#name, values_near, check_others, (const void *)(uintptr_t)(kind), 20}
static const struct family families[] = {
    OTHERS(degrees, DEGREES),
    OTHERS(radians, RADIANS),
    OTHERS(mix, MIX),
    OTHERS(smoothstep, SMOOTHSTEP),
    OTHERS(cross, CROSS),
    OTHERS(dot, DOT),
    OTHERS(mad, MAD),
    SIZED(distance, DISTANCE),
    SIZED(length, LENGTH),
    SIZED(normalize, NORMALIZE),
    FASTER(fast_distance, DISTANCE),
    FASTER(fast_length, LENGTH),
    FASTER(fast_normalize, NORMALIZE),
};

/* `dot` of bytes is an integer function. */
static bool is_of_reals(const struct declared *d) {
    return is_real(d->result.type);
}

int main(int argc, char **argv) {
    return builtin_main(argc, argv, families, sizeof families / sizeof *families, "", is_of_reals);
}
