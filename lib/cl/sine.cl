/* sine.cl: sin, cos, sincos and tan of floats (OpenCL C 6.15.2) in one straight line of instructions, but for arguments
 * that are huge or no numbers: those go to libclc's, one by one and not inlined, which costs less code where they are
 * rare, as they are. sin, cos and tan of one value share all but the last steps. */
#ifndef N
#define FILE "sine.cl"
#include "widths.h"
#else

#define HUGE  0x1p16f   /* below, the multiple of pi/2 is found in 17 bits */
#define MAGIC 0x1.8p23f /* adding it rounds to an integer, found in the low bits */

/* The sine and cosine of r for 0 <= x < HUGE, x being n * pi/2 + r; the low bits of the result are those of n. pi/2 is
 * taken away in three parts, the first of them exactly; then polynomials of least relative error on [-pi/4, pi/4]. */
static OVERLOAD U waves(F x, F *sine, F *cosine) {
    F t = fma(x, 0x1.45f306p-1f, MAGIC), turns = t - MAGIC;
    F r = fma(turns, -0x1.921fb4p0f, x);
    r = fma(turns, -0x1.4442d0p-24f, r);
    r = fma(turns, -0x1.84698ap-48f, r);
    F u = r * r;
    F s = (-0x1.994dd6p-13f * u + 0x1.11075ep-7f) * u - 0x1.555546p-3f;
    F c = (0x1.9a0194p-16f * u - 0x1.6c0c8ap-10f) * u + 0x1.55554ap-5f;
    *sine = (u * r) * s + r;
    *cosine = (u * u) * c + (1 - 0.5f * u);
    return BITS(t);
}

#include "sine.h"

/* ---- half numbers: none is huge, and of infinity the steps give a NaN ---- */

OVERLOAD H sin(H x) {
    F y = CONVERT(x, F);
    return CONVERT(FLOAT(wave(fabs(y), 0) ^ (BITS(y) & 0x80000000)), H);
}

OVERLOAD H cos(H x) {
    return CONVERT(FLOAT(wave(fabs(CONVERT(x, F)), 1)), H);
}

OVERLOAD H tan(H x) {
    F s, c, y = CONVERT(x, F);
    U odd = waves(fabs(y), &s, &c) & 1;
    F r = (odd == 1 ? c : s) / (odd == 1 ? s : c);
    return CONVERT(FLOAT(BITS(r) ^ (odd << 31) ^ (BITS(y) & 0x80000000)), H);
}

#define SINCOS_OF_HALF(SPACE)                                                                                   \
    OVERLOAD H sincos(H x, SPACE H *cosine) {                                                                   \
        *cosine = cos(x);                                                                                    \
        return sin(x);                                                                                       \
    }
SINCOS_OF_HALF()
SINCOS_OF_HALF(global)
SINCOS_OF_HALF(local)

#endif
