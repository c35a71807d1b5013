/* native_sine.cl: native_sin, native_cos and native_tan (OpenCL C 6.15.2, table 10), whose precision is ours to choose: x is n * pi + r, and a
 * polynomial of least absolute error gives the sine or cosine of r, from -pi/2 to pi/2. Up to 2^20 the first two are off by less
 * than 2^-22, or without FMA as much for small x, and |x| * 2^-22 more; where n takes more than the bits of t they are any number
 * from -1 to 1. native_tan is one by the other. */
#ifndef N
#define FILE "native_sine.cl"
#include "widths.h"
#else

#define MAGIC 0x1.8p23f /* adding it rounds to an integer, found in the low bits */

/* x - n * pi for an integer n, whose lowest bit *odd has in its highest. */
static OVERLOAD F reduced(F x, U *odd) {
    F t = x * 0x1.45f306p-2f + MAGIC, n = t - MAGIC;
    *odd = BITS(t) << 31;
    F r = x - n * 0x1.92p1f;
    r = r - n * 0x1.fb4p-11f;
    return r - n * 0x1.4442d2p-23f;
}

static OVERLOAD F sine(F r) {
    F u = r * r;
    F p = u * 0x1.5cf828p-19f - 0x1.9f5fe2p-13f;
    p = p * u + 0x1.110e6ap-7f;
    p = p * u - 0x1.555548p-3f;
    return (u * r) * p + r;
}

static OVERLOAD F cosine(F r) {
    F u = r * r;
    F p = u * 0x1.8521cap-16f - 0x1.6b3978p-10f;
    p = p * u + 0x1.554fb8p-5f;
    p = p * u - 0x1.ffffd2p-2f;
    return p * u + 1;
}

/* Of what was no sine or cosine; NaN stays. */
static OVERLOAD F limited(F y) {
    y = y > 1 ? (F)1 : y;
    return y < -1 ? (F)-1 : y;
}

OVERLOAD F native_sin(F x) {
    U odd;
    F y = limited(sine(reduced(x, &odd)));
    return FLOAT(BITS(y) ^ odd);
}

OVERLOAD F native_cos(F x) {
    U odd;
    F y = limited(cosine(reduced(x, &odd)));
    return FLOAT(BITS(y) ^ odd);
}

OVERLOAD F native_tan(F x) {
    U odd;
    F r = reduced(x, &odd);
    return sine(r) / cosine(r);
}

#endif
