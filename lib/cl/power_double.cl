/* power_double.cl: pow and powr of doubles (OpenCL C 6.15.2) in one straight line of instructions: 2^(y * log2(|x|)),
 * the logarithm and its product with y being sums of two doubles. Off by less than 7 units in the last place (16 are
 * allowed). */
#ifndef N
#define FILE "power_double.cl"
#define DOUBLES
#include "widths.h"
#else
#include "parts_double.h"

/* log2(a) for a >= 0 as a sum of *low and the result, which has any infinity and NaN. The logarithm of m = a / 2^e is the
 * series of 2 / log(2) * atanh(s) with s = (m - 1) / (m + 1), what the quotient lacks coming from its remainder; the
 * series' first two terms are sums of two doubles. */
static OVERLOAD F log2_of(F a, F *low) {
    F e, f = split(a, &e), d = f + 2, s = f / d;
    F rest = fma(-s, d, f) - s * (f - (d - 2));
    F u = s * s;
    F p = u * 0x1.878c38664a0e0p-3 + 0x1.877dbd08c475p-3;
    p = p * u + 0x1.c6a215adbadfep-3;
    p = p * u + 0x1.0c9a5b5e2b399p-2;
    p = p * u + 0x1.484b14413299bp-2;
    p = p * u + 0x1.a61762a718ebap-2;
    p = p * u + 0x1.2776c50ef9f2dp-1;
    F q = p * u + 0x1.ec709dc3a03fdp-1, q_lost = fma(p, u, 0x1.ec709dc3a03fdp-1 - q) - 0x1.254db28efd735p-55;
    F first = s * 0x1.71547652b82fep1, t = u * q, others = s * t;
    F l = fma(s, 0x1.71547652b82fep1, -first) + s * 0x1.777d0ffda0d24p-55;
    l = (rest * (0.5 - 0.5 * (s - u))) * 0x1.71547652b82fep1 + l; // 1 / d is (1 - s) / 2, the slope 1 / (1 - u)
    l = l + (fma(s, t, -others) + s * (fma(u, q, -t) + fma(s, s, -u) * q + u * q_lost));
    F high = first + others, sum = e + high;
    *low = (high - (sum - e)) + ((others - (high - first)) + l);
    sum = a < INFINITY ? sum : a;
    return a == 0 ? (F)-INFINITY : sum;
}

#define EXTREME 1100
#define FAR     0x1p80
#include "power.h"

#endif
