/* sine_double.cl: sin, cos, sincos and tan of doubles (OpenCL C 6.15.2) in one straight line of instructions, but for arguments
 * that are huge or no numbers: those go to libclc's, one by one and not inlined, which costs less code where they are
 * rare, as they are. sin, cos and tan of one value share all but the last steps. */
#ifndef N
#define FILE "sine_double.cl"
#define DOUBLES
#include "widths.h"
#else

#define HUGE  0x1p30   /* below, the multiple of pi/2 is found in 31 bits */
#define MAGIC 0x1.8p52 /* adding it rounds to an integer, found in the low bits */

/* The sine and cosine of r for 0 <= x < HUGE, x being n * pi/2 + r; the low bits of the result are those of n. pi/2 is
 * taken away in three parts, the first of them exactly; then polynomials of least relative error on [-pi/4, pi/4]. */
static OVERLOAD U waves(F x, F *sine, F *cosine) {
    F t = fma(x, 0x1.45f306dc9c883p-1, MAGIC), turns = t - MAGIC;
    F r = fma(turns, -0x1.921fb54442d18p0, x);
    r = fma(turns, -0x1.1a62633145c07p-54, r);
    r = fma(turns, 0x1.f1976b7ed8fbcp-110, r);
    F u = r * r;
    F s = u * 0x1.5d8ee7721185p-33 - 0x1.ae5e57810c6a9p-26;
    s = s * u + 0x1.71de3564094bap-19;
    s = s * u - 0x1.a01a019bf9b7fp-13;
    s = s * u + 0x1.111111110f7bp-7;
    s = s * u - 0x1.5555555555548p-3;
    F c = u * -0x1.8fa3978d27995p-37 + 0x1.1ee9d5cd9f2cep-29;
    c = c * u - 0x1.27e4f7e80a155p-22;
    c = c * u + 0x1.a01a019c80a25p-16;
    c = c * u - 0x1.6c16c16c14f6dp-10;
    c = c * u + 0x1.555555555554bp-5;
    *sine = (u * r) * s + r;
    *cosine = (u * u) * c + (1 - 0.5 * u);
    return BITS(t);
}

#include "sine.h"

#endif
