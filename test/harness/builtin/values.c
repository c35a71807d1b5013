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

double half_value(unsigned h) {
    int e = h >> 10 & 31, m = h & 1023;
    double x = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h >> 15 ? -x : x;
}

/* Of the two half numbers around it. */
unsigned half_of(double x, const char *name) {
    unsigned low = 0, high = 0x7c00, sign = signbit(x) ? 0x8000 : 0;
    double size = fabs(x);
    const char *mode = strstr(name, "_rt");
    if (x != x) {
        return 0x7e00;
    }
    while (high - low > 1) { /* low <= size < high, if it isn't infinite */
        unsigned middle = (low + high) / 2;
        bool is_low = half_value(middle) <= size;
        low = is_low ? middle : low;
        high = is_low ? high : middle;
    }
    double below = half_value(low), above = high == 0x7c00 ? 65536 : half_value(high);
    if (isinf(x) || below == size) {
        return sign | (isinf(x) ? 0x7c00 : low);
    }
    bool nearest = size - below > above - size || (size - below == above - size && low % 2);
    bool up = !mode || mode[3] == 'e' ? nearest : mode[3] == 'z' ? false : (mode[3] == 'p') == !sign;
    return sign | (up ? high : low);
}

double between_halves(void) {
    unsigned h = (unsigned)(random_bits() % 0x7c00), kind = (unsigned)(random_bits() % 8);
    double x = half_value(h), next = h == 0x7bff ? 65536 : half_value(h + 1);
    x = kind == 0 ? x : kind < 4 ? (x + next) / 2 : x + random_between(0, 1) * (next - x);
    x = kind == 1 ? nextafter(x, 0) : kind == 2 ? nextafter(x, INFINITY) : x;
    return random_bits() & 1 ? x : -x;
}

void real_put(enum type t, void *array, size_t place, double x) {
    if (t == HALF) {
        ((uint16_t *)array)[place] = (uint16_t)half_of(x, "");
    } else if (t == FLOAT) {
        ((float *)array)[place] = (float)x;
    } else {
        ((double *)array)[place] = x;
    }
}

void integer_put(enum type t, void *array, size_t place, int64_t x) {
    memcpy((char *)array + place * type_sizes[t], &x, type_sizes[t]);
}

double unit(enum type t) {
    return t == HALF ? 0x1p-10 : t == FLOAT ? 0x1p-23 : 0x1p-52;
}

double largest(enum type t) {
    return t == HALF ? 0x1.ffcp15 : t == FLOAT ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
}

double least_normal(enum type t) {
    return t == HALF ? 0x1p-14 : t == FLOAT ? 0x1p-126 : 0x1p-1022;
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
        return sign * largest(t);
    case 2:
        return sign * least_normal(t);
    case 3:
        return sign * (least_normal(t) - least_normal(t) * unit(t));
    case 4:
        return sign * least_normal(t) * unit(t);
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
