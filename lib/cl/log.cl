/* log.cl: logarithms of floats (OpenCL C 6.15.2) in one straight line of instructions: x = m * 2^e with m around 1, and
 * a polynomial of least relative error for log(m). Off by less than 1.8 units in the last place (3 are allowed, for
 * log1p 2). */
#ifndef N
#define FILE "log.cl"
#include "widths.h"
#else
#include "parts.h"
#include "log.h"

/* e * log(2) + log(1 + f) for f from split. */
static OVERLOAD F natural(F e, F f) {
    F p = f * 0x1.660a3cp-4f - 0x1.251a4cp-3f;
    p = p * f + 0x1.318214p-3f;
    p = p * f - 0x1.53598ep-3f;
    p = p * f + 0x1.98d2b6p-3f;
    p = p * f - 0x1.0004b2p-2f;
    p = p * f + 0x1.5556f4p-2f;
    p = p * f - 0x1.fffffap-2f;
    p = (f * f) * p + (e * 0x1.7f7d1cp-20f + f);
    return e * 0x1.62e4p-1f + p;
}

OVERLOAD F log(F x) {
    F e, f = split(x, &e);
    return defined(x, natural(e, f));
}

OVERLOAD F log2(F x) {
    F e, f = split(x, &e);
    F p = f * 0x1.027ab8p-3f - 0x1.a81348p-3f;
    p = p * f + 0x1.b93fcep-3f;
    p = p * f - 0x1.e96554p-3f;
    p = p * f + 0x1.26dcdp-2f;
    p = p * f - 0x1.715c5p-2f;
    p = p * f + 0x1.ec736ep-2f;
    p = p * f - 0x1.71547p-1f;
    p = f * 0x1.715476p0f + (f * f) * p;
    return defined(x, e + p);
}

OVERLOAD F log10(F x) {
    F e, f = split(x, &e);
    F p = f * 0x1.35c5b6p-5f - 0x1.0036a6p-4f;
    p = p * f + 0x1.0a6dep-4f;
    p = p * f - 0x1.268b48p-4f;
    p = p * f + 0x1.62f07ep-4f;
    p = p * f - 0x1.bcc1bep-4f;
    p = p * f + 0x1.287ccap-3f;
    p = p * f - 0x1.bcb7aap-3f;
    p = f * 0x1.bcb7bp-2f + ((f * f) * p + e * 0x1.3509f8p-18f);
    return defined(x, e * 0x1.344p-2f + p);
}

/* 1 + x is m * 2^e; m - 1 is computed from x, with one rounding, as (x + 1) * 2^-e - 1. */
OVERLOAD F log1p(F x) {
    F y = x + 1;
    U bits = (BITS(y) - LEAST) & 0xff800000;
    F scale = FLOAT(0x40800000 - bits); // 4 * 2^-e, which is a normal number for all
    F f = (x * scale + (scale - 4)) * 0.25f, e = CONVERT(__builtin_astype(bits, I), F) * 0x1p-23f;
    return with_sign_of(defined(y, natural(e, f)), x);
}

/* ---- where the processor tells a number's parts: half the instructions, for m from 3/4 to 3/2 ---- */

OVERLOAD F __weir_parts_log(F x) {
    F e, f = parts_of(x, &e);
    F p = f * -0x1.6fe4aap-5f + 0x1.abf5dap-4f;
    p = p * f - 0x1.0d8ffp-3f;
    p = p * f + 0x1.2897c2p-3f;
    p = p * f - 0x1.54f242p-3f;
    p = p * f + 0x1.99685ap-3f;
    p = p * f - 0x1.000024p-2f;
    p = p * f + 0x1.5555a6p-2f;
    p = p * f - 0x1p-1f;
    p = (f * f) * p + (e * 0x1.7f7d1cp-20f + f);
    return e * 0x1.62e4p-1f + p;
}

OVERLOAD F __weir_parts_log2(F x) {
    F e, f = parts_of(x, &e);
    F p = f * -0x1.095ef8p-4f + 0x1.34b43cp-3f;
    p = p * f - 0x1.84e53cp-3f;
    p = p * f + 0x1.abe4b8p-3f;
    p = p * f - 0x1.ebe1b6p-3f;
    p = p * f + 0x1.27533ep-2f;
    p = p * f - 0x1.7154aap-2f;
    p = p * f + 0x1.ec7114p-2f;
    p = p * f - 0x1.715476p-1f;
    return e + (f * 0x1.715476p0f + (f * f) * p);
}

OVERLOAD F __weir_parts_log10(F x) {
    F e, f = parts_of(x, &e);
    F p = f * -0x1.3f89dap-6f + 0x1.73b77ap-5f;
    p = p * f - 0x1.d446dcp-5f;
    p = p * f + 0x1.019e16p-4f;
    p = p * f - 0x1.28246cp-4f;
    p = p * f + 0x1.639b6p-4f;
    p = p * f - 0x1.bcb7fp-4f;
    p = p * f + 0x1.287abcp-3f;
    p = p * f - 0x1.bcb7b2p-3f;
    F high = fma(f, 0x1.bcb7bp-2f, e * 0x1.344p-2f); // the product is exact
    return high + ((f * f) * p + (e * 0x1.3509f8p-18f + f * 0x1.526e5p-26f));
}

#endif
