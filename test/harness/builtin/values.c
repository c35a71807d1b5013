/* values.c: the values that functions are tried with: edges, each with each other for the first two arguments, and random
 * numbers of all magnitudes. */
#include "builtin.h"

#include <math.h>
#include <string.h>

static uint64_t state;

void random_seed(uint64_t seed) {
    state = seed * 0x9e3779b97f4a7c15 + 1;
}

uint64_t random_bits(void) {
    uint64_t x = state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

double random_between(double a, double b) {
    return a + (b - a) * (double)(random_bits() >> 11) * 0x1p-53;
}

void real_put(enum type t, void *array, size_t place, double x) {
    if (t == FLOAT) {
        ((float *)array)[place] = (float)x;
    } else {
        ((double *)array)[place] = x;
    }
}

void integer_put(enum type t, void *array, size_t place, int64_t x) {
    memcpy((char *)array + place * type_sizes[t], &x, type_sizes[t]);
}

static const double reals[] = {0.0,
                               1,
                               0.5,
                               1.5,
                               2,
                               2.5,
                               3,
                               0.1,
                               10,
                               100.5,
                               1.5707963267948966,
                               3.141592653589793,
                               2147483648.0,
                               9223372036854775808.0,
                               0x1.fffffep23,
                               0x1.0p23,
                               0x1.fffffep-1,
                               0x1.000002p0};

/* The number of edge values of a type. */
static size_t edge_count(enum type t) {
    return is_real(t) ? 2 * (sizeof reals / sizeof *reals + 6) : type_sizes[t] * 8 + 8;
}

static double real_edge(enum type t, size_t i) {
    size_t n = sizeof reals / sizeof *reals;
    double sign = i & 1 ? -1 : 1;
    i /= 2;
    if (i < n) {
        return sign * reals[i];
    }
    switch (i - n) {
    case 0:
        return sign * INFINITY;
    case 1:
        return sign * (t == FLOAT ? 0x1.fffffep127 : 0x1.fffffffffffffp1023);
    case 2:
        return sign * (t == FLOAT ? 0x1p-126 : 0x1p-1022);
    case 3:
        return sign * (t == FLOAT ? 0x1.fffffcp-127 : 0x0.fffffffffffffp-1022);
    case 4:
        return sign * (t == FLOAT ? 0x1p-149 : 0x1p-1074);
    default:
        return NAN;
    }
}

static int64_t integer_edge(enum type t, size_t i) {
    unsigned bits = type_sizes[t] * 8;
    int64_t least = -1 - (INT64_MAX >> (64 - bits));
    switch (i) {
    case 0:
        return 0;
    case 1:
        return -1;
    case 2:
        return least;
    case 3:
        return ~least;
    case 4:
        return least + 1;
    case 5:
        return ~least - 1;
    case 6:
        return 0x5555555555555555;
    case 7:
        return 3;
    default:
        return (int64_t)(UINT64_C(1) << (i - 8));
    }
}

static void put_edge(enum type t, void *array, size_t place, size_t edge) {
    if (is_real(t)) {
        real_put(t, array, place, real_edge(t, edge));
    } else {
        integer_put(t, array, place, integer_edge(t, edge));
    }
}

void values_any(const struct declared *d, unsigned index, enum type t, void *array) {
    size_t edges = edge_count(t), crossed = edges > 45 ? 45 : edges;
    for (size_t p = 0; p < PLACES; p++) {
        uint64_t random = random_bits();
        if (d->nparams == 1 ? p < edges : p < 2 * edges) {
            put_edge(t, array, p, index == 0 ? p % edges : random % edges);
        } else if (d->nparams > 1 && p - 2 * edges < crossed * crossed) {
            size_t q = p - 2 * edges;
            put_edge(t, array, p, index == 0 ? q % crossed : index == 1 ? q / crossed : random % edges);
        } else if (is_real(t)) { /* bits: all magnitudes */
            uint64_t any = random_bits();
            memcpy((char *)array + p * type_sizes[t], &any, type_sizes[t]);
            if (isnan(real_at(t, array, p))) { /* none that signals */
                real_put(t, array, p, NAN);
            }
        } else {
            integer_put(t, array, p, (int64_t)(random_bits() >> (random & 63)) * (random & 64 ? 1 : -1));
        }
    }
}
