/* conversions.c: convert_TYPEn[_sat][_MODE] (OpenCL C 6.4.3) between all types, bit by bit. The reference is the host's
 * arithmetic in the rounding mode: a long double holds any value of any type. */
#include "builtin.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The mode that the name ends with; without one FE_TOWARDZERO for integers, FE_TONEAREST for reals. */
static int mode_of(const struct declared *d) {
    static const struct {
        const char *end;
        int mode;
    } modes[] = {{"_rte", FE_TONEAREST}, {"_rtz", FE_TOWARDZERO}, {"_rtp", FE_UPWARD}, {"_rtn", FE_DOWNWARD}};
    const char *end = strrchr(d->name, '_');
    for (size_t i = 0; i < 4; i++) {
        if (!strcmp(end, modes[i].end)) {
            return modes[i].mode;
        }
    }
    return is_real(d->result.type) ? FE_TONEAREST : FE_TOWARDZERO;
}

static long double value_at(enum type t, const void *array, size_t place) {
    return is_real(t)   ? (long double)real_at(t, array, place)
           : t == ULONG ? (long double)(uint64_t)integer_at(t, array, place)
                        : (long double)integer_at(t, array, place);
}

static bool check_real(const struct call *c, size_t place, long double x, char why[160]) {
    enum type to = c->declared->result.type;
    double want = to == HALF    ? half_value(half_of((double)x, c->declared->name))
                  : to == FLOAT ? (double)(float)x
                                : (double)x,
           got = real_at(to, c->result, place);
    snprintf(why, 160, "%a", want);
    return got == want ? !signbit(got) == !signbit(want) : got != got && want != want;
}

/* What is out of range gives the nearest number if the result saturates, a NaN 0; else it isn't defined, but between
 * integers, which lose their upper bits. */
static bool check_integer(const struct call *c, size_t place, long double x, char why[160]) {
    enum type from = c->declared->params[0].type, to = c->declared->result.type;
    bool saturates = strstr(c->declared->name, "_sat");
    long double limit = ldexpl(1, (int)(8 * type_sizes[to]) - is_signed(to)),
                least = is_signed(to) ? -limit : 0;
    int64_t got = integer_at(to, c->result, place), want;
    x = rintl(x);
    if (!saturates && !is_real(from)) {
        int64_t source = integer_at(from, c->params[0], place);
        want = integer_at(to, &source, 0);
    } else if (x >= least && x < limit) {
        want = x < 0x1p63L ? (int64_t)x : (int64_t)(uint64_t)x;
    } else if (!saturates) {
        return true;
    } else {
        want = x != x ? 0 : (int64_t)(x < 0 ? (uint64_t)(int64_t)least : (uint64_t)(limit - 1));
    }
    snprintf(why, 160, "0x%llx", (long long)want);
    return got == want;
}

static bool check(const struct call *c, size_t place, char why[160]) {
    fesetround(mode_of(c->declared));
    long double x = value_at(c->declared->params[0].type, c->params[0], place);
    bool right =
        is_real(c->declared->result.type) ? check_real(c, place, x, why) : check_integer(c, place, x, why);
    fesetround(FE_TONEAREST);
    return right;
}

/* Edges, what rounds to the edges of integers and to ties of the result, and random values. */
static void values(const struct declared *d, unsigned index, enum type from, void *array) {
    enum type to = d->result.type;
    values_any(d, index, from, array);
    for (size_t p = 256; p < PLACES && is_real(from); p += 2) {
        int bits = (int)(random_bits() % 65);
        double near = ldexp(1, bits), x = p & 4   ? near + (double)((int)(random_bits() % 16) - 8) * 0.25
                                          : p & 8 ? nextafter(near, random_bits() & 1 ? 0 : INFINITY)
                                                  : random_between(-300, 300);
        real_put(from, array, p, random_bits() & 1 ? x : -x);
    }
    for (size_t p = 256; p < PLACES && to == FLOAT; p += 2) {
        int digits = 20 + (int)(random_bits() % 8), up = (int)(random_bits() % 41); /* around 24 digits */
        int64_t x = (int64_t)(((random_bits() >> (64 - digits)) | 1) << (up > 36 ? 0 : up)) +
                    (int)(random_bits() % 3) - 1;
        if (from == DOUBLE) {
            real_put(from, array, p,
                     ldexp((double)x, p & 2 ? -(int)(random_bits() % 200) : (int)(random_bits() % 90)));
        } else if (!is_real(from)) {
            integer_put(from, array, p, random_bits() & 1 ? x : -x);
        }
    }
    for (size_t p = 256; p < PLACES && to == HALF && from != HALF; p += 2) {
        if (is_real(from)) {
            real_put(from, array, p, between_halves());
        } else {
            integer_put(from, array, p, (int64_t)(random_bits() % 0x11000) * (random_bits() & 1 ? 1 : -1));
        }
    }
    for (size_t p = 257; p < PLACES && to == DOUBLE && type_sizes[from] == 8; p += 2) {
        int64_t x = (int64_t)(random_bits() >> (1 + random_bits() % 12));
        if (!is_real(from)) {
            integer_put(from, array, p, (x | 1) << (random_bits() & 1));
        }
    }
}

static const struct family families[] = {{"convert_*", values, check, NULL, 8}};

int main(int argc, char **argv) {
    return builtin_main(argc, argv, families, 1, "", NULL);
}
