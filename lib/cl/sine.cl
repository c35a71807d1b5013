/* sine.cl: sin, cos and sincos of floats (OpenCL C 6.15.2) in one straight line of instructions, but for arguments
 * that are huge or no numbers: those go to libclc's, one by one and not inlined, which costs less code where they are
 * rare, as they are. sin and cos of one value share all but the last steps. */
#include "weir.h"

#define HUGE  0x1p16f   /* below, the multiple of pi/2 is found in 17 bits */
#define MAGIC 0x1.8p23f /* adding it rounds to an integer, found in the low bits */

static OVERLOAD int some(int truth) {
    return truth;
}

/* The bits of sin(x + turn * pi/2), 0 <= x < HUGE: pi/2 is taken away in three parts, the first of them exactly; then
 * polynomials of least relative error on [-pi/4, pi/4]. Off by at most 1.7 units in the last place (4 are allowed). */
#define SINE(n, code)                                                                                        \
    OVERLOAD PURE float##n fma(float##n, float##n, float##n);                                                \
    OVERLOAD PURE float##n fabs(float##n);                                                                   \
    OVERLOAD PURE float##n libclc_sin(float##n) __asm__("__libclc_Z3sin" code);                              \
    OVERLOAD PURE float##n libclc_cos(float##n) __asm__("__libclc_Z3cos" code);                              \
    FAR(n, sin)                                                                                              \
    FAR(n, cos)                                                                                              \
    static OVERLOAD uint##n wave(float##n x, uint turn) {                                                    \
        float##n t = fma(x, (float##n)0x1.45f306p-1f, (float##n)MAGIC), turns = t - MAGIC;                   \
        float##n r = fma(turns, (float##n) - 0x1.921fb4p0f, x);                                              \
        r = fma(turns, (float##n) - 0x1.4442d0p-24f, r);                                                     \
        r = fma(turns, (float##n) - 0x1.84698ap-48f, r);                                                     \
        float##n u = r * r;                                                                                  \
        float##n s = (-0x1.994dd6p-13f * u + 0x1.11075ep-7f) * u - 0x1.555546p-3f;                           \
        float##n c = (0x1.9a0194p-16f * u - 0x1.6c0c8ap-10f) * u + 0x1.55554ap-5f;                           \
        s = (u * r) * s + r;                                                                                 \
        c = (u * u) * c + (1 - 0.5f * u);                                                                    \
        uint##n quarter = __builtin_astype(t, uint##n) + turn;                                               \
        uint##n y = (quarter & 1) == 1 ? __builtin_astype(c, uint##n) : __builtin_astype(s, uint##n);        \
        return y ^ ((quarter & 2) << 30);                                                                    \
    }                                                                                                        \
    OVERLOAD float##n sin(float##n x) {                                                                      \
        uint##n sign = __builtin_astype(x, uint##n) & 0x80000000;                                            \
        float##n y = __builtin_astype(wave(fabs(x), 0) ^ sign, float##n);                                    \
        return some(!(fabs(x) < HUGE)) ? (fabs(x) < HUGE ? y : __weir_lane_sin(x)) : y;                      \
    }                                                                                                        \
    OVERLOAD float##n cos(float##n x) {                                                                      \
        float##n y = __builtin_astype(wave(fabs(x), 1), float##n);                                           \
        return some(!(fabs(x) < HUGE)) ? (fabs(x) < HUGE ? y : __weir_lane_cos(x)) : y;                      \
    }                                                                                                        \
    SINCOS(n, )                                                                                              \
    SINCOS(n, global)                                                                                        \
    SINCOS(n, local)
#define SINCOS(n, S)                                                                                         \
    OVERLOAD float##n sincos(float##n x, S float##n *cosine) {                                               \
        *cosine = cos(x);                                                                                    \
        return sin(x);                                                                                       \
    }
#define FAR(n, f)                                                                                            \
    OVERLOAD PURE __attribute__((noinline)) float##n __weir_lane_##f(float##n x) {                           \
        return libclc_##f(x);                                                                                \
    }
#define SOME(n, _)                                                                                           \
    OVERLOAD PURE int any(int##n);                                                                           \
    static OVERLOAD int some(int##n truth) {                                                                 \
        return any(truth);                                                                                   \
    }
// clang-format off
SOME(2, ) SOME(3, ) SOME(4, ) SOME(8, ) SOME(16, )
SINE(, "f")
SINE(2, "Dv2_f")
SINE(3, "Dv3_f")
SINE(4, "Dv4_f")
SINE(8, "Dv8_f")
SINE(16, "Dv16_f")
