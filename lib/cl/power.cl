/* power.cl: pow, powr, pown, rootn and cbrt of floats (OpenCL C 6.15.2) in one straight line of instructions: 2^(y *
 * log2(|x|)), the logarithm and its product with y being sums of two floats. Off by less than 7 units in the last place
 * (16 are allowed), cbrt by about 1 (2). */
#ifndef N
#define FILE "power.cl"
#include "widths.h"
#else
#include "parts.h"

#define EXTREME 200
#define FAR     0x1p60f
#include "power.h"

OVERLOAD F pown(F x, I n) {
    F low, l = log2_of(fabs(x), &low), y = CONVERT(n, F);
    y = y > 0x1.fffffep30f ? (F)0x1.fffffep30f : y;
    F rest = CONVERT(n - CONVERT(y, I), F), high = y * l;
    F p = power_of_two(high, fma(y, l, -high) + (y * low + rest * l));
    p = FLOAT(BITS(p) | (BITS(x) & (__builtin_astype(n, U) << 31)));
    return n == 0 ? (F)1 : p;
}

OVERLOAD F rootn(F x, I n) {
    F low, l = log2_of(fabs(x), &low), y = CONVERT(n, F), z = 1 / y;
    F rest = fma(-z, y, 1) * z, high = z * l;
    F p = power_of_two(high, fma(z, l, -high) + (z * low + rest * l));
    U sign = BITS(x) & (__builtin_astype(n, U) << 31);
    return undefined_if((n == 0) | ((x < 0) & ((n & 1) == 0)), FLOAT(BITS(p) | sign));
}

/* r is x^(-1/3), first from the bits of x, then by a polynomial of what its
 * cube is off. The cube root is x * r * r, and a last step
 * takes away what its cube is off. */
OVERLOAD F cbrt(F x) {
    F a = fabs(x), larger = a * 0x1p24f, m = a < 0x1p-126f ? larger : a;
    F third = CONVERT(__builtin_astype(m, I), F) * (1 / 3.0f);
    F r = FLOAT(0x54a1f600 - CONVERT(third, U));
    F e = 1 - (m * r) * (r * r);
    r = r * ((e * 0x1.ca5f48p-3f + 0x1.56ba86p-2f) * e + 0x1.ffffbp-1f);
    F y = m * (r * r), off = m - (y * y) * y;
    y = (off * (r * r)) * (1 / 3.0f) + y;
    y = a < 0x1p-126f ? y * 0x1p-8f : y;
    y = a < INFINITY ? y : a;
    return with_sign_of(y, x);
}

#endif
