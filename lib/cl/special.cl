/* special.cl: erf, erfc and tgamma of floats (OpenCL C 6.15.2) in one straight line of instructions. Off by less than
 * 3, 7 and 9 units in the last place (16 are allowed). */
#ifndef N
#define FILE "special.cl"
#include "widths.h"
#else
#include "parts.h"

/* Below 1 a polynomial of x^2, times x; from 1 on 1 - 2^q, with a polynomial q for log2(erfc(x)). */
OVERLOAD F erf(F x) {
    F y = fabs(x), u = x * x;
    F p = u * -0x1.26886ap-11f + 0x1.420746p-8f;
    p = p * u - 0x1.b5934ap-6f;
    p = p * u + 0x1.ce077ap-4f;
    p = p * u - 0x1.81266p-2f;
    p = p * u + 0x1.20dd74p0f;
    F z = y > 3.96f ? (F)3.96f : y;
    F q = z * -0x1.48ea46p-16f + 0x1.e77c58p-12f;
    q = q * z - 0x1.480528p-8f;
    q = q * z + 0x1.0ccaaap-5f;
    q = q * z - 0x1.320b6p-3f;
    q = q * z - 0x1.d7d4b2p-1f;
    q = q * z - 0x1.9feb38p0f;
    q = q * z - 0x1.07919cp-10f;
    F t = q + MAGIC, scale = FLOAT((BITS(t) - 127) << 23), far = 1 - exp2_near_0(q - (t - MAGIC)) * scale;
    return with_sign_of(y < 1 ? y * p : far, x);
}

/* For x >= 0 e^(-x^2) * t times a polynomial of t = 1 / (1 + x / 2); x^2 is a sum of two floats. */
OVERLOAD F erfc(F x) {
    F y = fabs(x);
    y = y > 10.1f ? (F)10.1f : y;
    F t = 1 / (0.5f * y + 1);
    F g = t * -0x1.e420f6p-5f + 0x1.238c6cp-2f;
    g = g * t - 0x1.f330b6p-2f;
    g = g * t + 0x1.1d14ccp-2f;
    g = g * t - 0x1.b7fd72p-6f;
    g = g * t + 0x1.9f4d36p-3f;
    g = g * t + 0x1.f1d37cp-3f;
    g = g * t + 0x1.2127e2p-2f;
    g = g * t + 0x1.20db36p-2f;
    F square = y * y, low = fma(y, y, -square);
    F k = MAGIC - square * 0x1.715476p0f, n = k - MAGIC;
    F r = -square - n * 0x1.62e4p-1f;
    r = (r - n * 0x1.7f7d1cp-20f) - low;
    F p = scaled(exp_near_0(r) * (g * t), k);
    return x < 0 ? 2 - p : p;
}

/* log2(gamma(z + lost)) - 3 for z >= 4 by Stirling's formula, as a sum of *low and the result. */
static OVERLOAD F stirling(F z, F lost, F *low) {
    F l_low, l = log2_of(z, &l_low), w = 1 / z, h = z - 0.5f;
    F p = w * -0x1.f0c144p-9f - 0x1.b1ee7ap-15f;
    p = p * w + 0x1.ec74acp-4f;
    p = p * w - 0x1.ac9bc8p0f;
    F plus = h * l, minus = z * 0x1.715476p0f, e = plus - minus;
    F rest = (plus - e) - minus; // which is exact, as plus > minus
    rest = rest + fma(h, l, -plus) - fma(z, 0x1.715476p0f, -minus) + (h * l_low - z * 0x1.4ae0cp-26f);
    *low = rest + p + lost * (l - 0.72f * w);
    return e;
}

/* sin(pi * x) for |x| <= 1/2. */
static OVERLOAD F sine_near_0(F x) {
    F u = x * x;
    F p = u * 0x1.407902p-4f - 0x1.328p-1f;
    p = p * u + 0x1.466b26p1f;
    p = p * u - 0x1.4abbd8p2f;
    return (p * u + 0x1.921fb6p1f) * x;
}

/* gamma(y) for y = |x| is that of y + 4, divided by y to y + 3, if y is small. For negative x the result is
 * -pi / (y * sin(pi * y) * gamma(y)). Powers of two are shared out so that nothing overflows that the result does not. */
OVERLOAD F tgamma(F x) {
    F y = fabs(x), near = y + 4, whole = rint(y), d = y - whole, half_of = whole * 0.5f;
    y = y > 44 ? (F)44 : y;
    F product = y < 4 ? (y + 1) * (y + 2) * ((y + 3) * 0.125f) : (F)0.125f;
    F all = y < 4 ? y * (product * 2) : (F)0.25f;
    F sine = sine_near_0(d), below = y < 4 ? sine : y * sine;
    F above = product * (rint(half_of) == half_of ? (F)-0x1.921fb6p1f : (F)0x1.921fb6p1f);
    I negative = __builtin_astype(x, I) < 0, pole = (x < 0) & (d == 0);
    F factor = (negative ? above : (F)1) / (negative ? below : all);
    F low, e = stirling(y < 4 ? near : y, y < 4 ? y - (near - 4) : (F)0, &low);
    e = negative ? -e : e;
    low = negative ? -low : low + 1;
    F t = (e + low) + MAGIC, r = (e - (t - MAGIC)) + low;
    F g = scaled(exp2_near_0(r) * factor, t);
    return FLOAT(pole ? (U)~0u : BITS(g));
}

#endif
