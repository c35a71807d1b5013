/* root.cl: reciprocal square roots of floats (OpenCL C 6.15.2) in one straight line of instructions, which takes less time
 * than a square root and a division: a first guess by halving the exponent, which is off by 1/29 at most, and two steps
 * of the third order. */
#ifndef N
#define FILE "root.cl"
#include "widths.h"
#else

/* With r = 1 - x * y * y: y / sqrt(1 - r) to the second order, off by 5/16 * r^3. */
static OVERLOAD F closer(F x, F y) {
    F r = fma(-(x * y), y, 1);
    return fma(y * r, fma(r, 0.375f, 0.5f), y);
}

/* Off by less than one unit in the last place (2 are allowed). */
OVERLOAD F rsqrt(F x) {
    F large = x * 0x1p24f, normal = x < 0x1p-126f ? large : x;
    F y = closer(normal, closer(normal, FLOAT(0x5f375a86 - (BITS(normal) >> 1))));
    F up = y * 0x1p12f;
    y = x < 0x1p-126f ? up : y;
    y = x == INFINITY ? (F)0 : y;
    y = x == 0 ? FLOAT(BITS(x) | 0x7f800000) : y;
    return x >= 0 ? y : (F)NAN;
}

#endif
