/* log_double.cl: logarithms of doubles (OpenCL C 6.15.2) in one straight line of instructions: x = m * 2^e with m = 1 + f
 * around 1, and log(m) is 2 * atanh(s) for s = f / (2 + f), f - f^2 / 2 + s * (f^2 / 2 + a polynomial of s^2). Off by less
 * than 1.7 units in the last place (3 are allowed). */
#ifndef N
#define FILE "log_double.cl"
#define DOUBLES
#include "widths.h"
#else
#include "parts_double.h"
#include "log.h"

/* s * (f^2 / 2 + polynomial): log(1 + f) - (f - f^2 / 2). */
static OVERLOAD F beyond_square(F f) {
    F s = f / (2 + f), u = s * s;
    F p = u * 0x1.2f09799f452f5p-3 + 0x1.39a157fc79b46p-3;
    p = p * u + 0x1.746642875a502p-3;
    p = p * u + 0x1.c71c51f8c37d6p-3;
    p = p * u + 0x1.2492494204369p-2;
    p = p * u + 0x1.999999997fc79p-2;
    p = p * u + 0x1.5555555555593p-1;
    return s * ((f * 0.5) * f + u * p);
}

OVERLOAD F log(F x) {
    F e, f = split(x, &e);
    F less = (f * 0.5) * f - (e * 0x1.3de6af278ece6p-42 + beyond_square(f));
    return defined(x, e * 0x1.62e42fefa3p-1 - (less - f));
}

OVERLOAD F log2(F x) {
    F e, f = split(x, &e);
    F less = (f * 0.5) * f - beyond_square(f);
    F p = f * 0x1.777d0ffda0d24p-56 - less * 0x1.71547652b82fep0;
    p = f * 0x1.71547652b82fep0 + p;
    return defined(x, e + p);
}

OVERLOAD F log10(F x) {
    F e, f = split(x, &e);
    F less = (f * 0.5) * f - beyond_square(f);
    F p = e * 0x1.3fde623e2566bp-43 + (f * 0x1.95355baaafad3p-57 - less * 0x1.bcb7b1526e50ep-2);
    p = f * 0x1.bcb7b1526e50ep-2 + p;
    return defined(x, e * 0x1.34413509f7p-2 + p);
}

/* ---- where the processor tells a number's parts, for m from 3/4 to 3/2 ---- */

/* beyond_square for f from -1/4 to 1/2. */
static OVERLOAD F beyond_wide_square(F f) {
    F s = f / (2 + f), u = s * s;
    F p = u * 0x1.1b658af5a5f7dp-3 + 0x1.0dcfc570a19e6p-3;
    p = p * u + 0x1.3b35804770111p-3;
    p = p * u + 0x1.745c4cdbf863dp-3;
    p = p * u + 0x1.c71c748712ffep-3;
    p = p * u + 0x1.24924921ee44fp-2;
    p = p * u + 0x1.999999999c0cdp-2;
    p = p * u + 0x1.555555555554fp-1;
    return s * ((f * 0.5) * f + u * p);
}

OVERLOAD F __weir_parts_log(F x) {
    F e, f = parts_of(x, &e);
    F less = (f * 0.5) * f - (e * 0x1.3de6af278ece6p-42 + beyond_wide_square(f));
    return e * 0x1.62e42fefa3p-1 - (less - f);
}

OVERLOAD F __weir_parts_log2(F x) {
    F e, f = parts_of(x, &e);
    F less = (f * 0.5) * f - beyond_wide_square(f);
    F p = f * 0x1.777d0ffda0d24p-56 - less * 0x1.71547652b82fep0;
    return e + (f * 0x1.71547652b82fep0 + p);
}

OVERLOAD F __weir_parts_log10(F x) {
    F e, f = parts_of(x, &e);
    F less = (f * 0.5) * f - beyond_wide_square(f);
    F p = e * 0x1.3fde623e2566bp-43 + (f * 0x1.95355baaafad3p-57 - less * 0x1.bcb7b1526e50ep-2);
    return e * 0x1.34413509f7p-2 + (f * 0x1.bcb7b1526e50ep-2 + p);
}

#endif
