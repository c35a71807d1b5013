/* native_exp.cl: native_exp, native_exp2 and native_exp10 (OpenCL C 6.15.2, table 10), whose precision is ours to choose: x is multiplied by
 * a logarithm in one step, the result scaled in one, so that below 2^-125.5 it is 0, and the polynomial is a step shorter than those of
 * exp.cl. Off by less than three units in the last place; native_exp by |x| / 4 more, native_exp10 by |x|; three times that without FMA. */
#ifndef N
#define FILE "native_exp.cl"
#include "widths.h"
#else

#define MAGIC_126 (0x1.8p23f + 126) /* adding it rounds to n; the low bits are then those of the exponent of 2^(n - 1) */

/* 2^n * 2^r, t being n + MAGIC_126, for n from -126, where it is 0, to 128. */
static OVERLOAD F power(F t, F r) {
    F p = r * 0x1.5bba14p-9f + 0x1.3cea88p-6f;
    p = p * r + 0x1.c6b752p-4f;
    p = p * r + 0x1.ebf9bcp-2f;
    p = p * r + 0x1.62e42ap0f;
    return (p * r + 2) * FLOAT(BITS(t) << 23);
}

/* 2^(x * log). */
static OVERLOAD F power_of(F x, F log) {
    F t = x * log + MAGIC_126;
    return power(t, x * log - (t - MAGIC_126));
}

OVERLOAD F native_exp(F x) {
    x = x > 89 ? (F)89 : x;
    x = x < -0x1.5d589ep6f ? (F)-0x1.5d589ep6f : x;
    return power_of(x, 0x1.715476p0f);
}

OVERLOAD F native_exp2(F x) {
    x = x > 128.5f ? (F)128.5f : x;
    x = x < -126 ? (F)-126 : x;
    F t = x + MAGIC_126;
    return power(t, x - (t - MAGIC_126));
}

OVERLOAD F native_exp10(F x) {
    x = x > 38.6f ? (F)38.6f : x;
    x = x < -0x1.2f703p5f ? (F)-0x1.2f703p5f : x;
    return power_of(x, 0x1.a934fp1f);
}

#endif
