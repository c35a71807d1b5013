/* exp.cl: exponential and hyperbolic functions of floats (OpenCL C 6.15.2) in one straight line of instructions: x is
 * n * log(2) + r, and a polynomial of least relative error gives e^r. */
#ifndef N
#define FILE "exp.cl"
#include "widths.h"
#else
#include "parts.h"

/* ---- exp, exp2, exp10: off by about one unit in the last place at most (3 are allowed) ---- */

OVERLOAD F exp(F x) {
    x = x > 89 ? (F)89 : x;
    x = x < -104 ? (F)-104 : x;
    F t = x * 0x1.715476p0f + MAGIC, n = t - MAGIC;
    F r = x - n * 0x1.62e4p-1f;
    r = r - n * 0x1.7f7d1cp-20f;
    return scaled(exp_near_0(r), t);
}

OVERLOAD F exp2(F x) {
    x = x > 129 ? (F)129 : x;
    x = x < -151 ? (F)-151 : x;
    F t = x + MAGIC;
    return scaled(exp2_near_0(x - (t - MAGIC)), t);
}

OVERLOAD F exp10(F x) {
    x = x > 39 ? (F)39 : x;
    x = x < -46 ? (F)-46 : x;
    F t = x * 0x1.a934fp1f + MAGIC, n = t - MAGIC;
    F r = x - n * 0x1.344p-2f;
    r = r - n * 0x1.3509f8p-18f;
    F p = r * 0x1.a493dep-3f + 0x1.156be6p-1f;
    p = p * r + 0x1.2bdbdep0f;
    p = p * r + 0x1.046f9ap1f;
    p = p * r + 0x1.535248p1f;
    p = p * r + 0x1.26bb1cp1f;
    return scaled(p * r + 1, t);
}

/* ---- expm1, tanh: off by less than 2 and 3 units (3 and 5 are allowed) ---- */

#define MAGIC_126 (0x1.8p23f + 126) /* MAGIC for a result that is 2^(n - 1) when its bits are shifted by 23 */

/* (e^x - 1) / 2 for -80 < x < 89 and what overflows at most when it is doubled. */
static OVERLOAD F half_expm1(F x) {
    F t = x * 0x1.715476p0f + MAGIC_126, n = t - MAGIC_126;
    F r = x - n * 0x1.62e4p-1f;
    r = r - n * 0x1.7f7d1cp-20f;
    F p = r * 0x1.6b73ap-10f + 0x1.1227aap-7f;
    p = p * r + 0x1.555716p-5f;
    p = p * r + 0x1.5554bp-3f;
    p = p * r + 0x1.fffffep-2f;
    p = (r * r) * p + r;
    F scale = FLOAT(BITS(t) << 23);
    return scale * p + (scale - 0.5f);
}

OVERLOAD F expm1(F x) {
    F y = x > 89 ? (F)89 : x;
    y = y < -20 ? (F)-20 : y;
    return fabs(x) < 0x1p-30f ? x : 2 * half_expm1(y);
}

OVERLOAD F tanh(F x) {
    F y = fabs(x), h = half_expm1(2 * (y > 10 ? (F)10 : y));
    return with_sign_of(h / (h + 1), x);
}

/* ---- sinh, cosh: off by less than 2 units (4 are allowed) ---- */

/* sinh(r) and cosh(r) - 1 for |x| = n * log(2) + r as *s and *c; *up and *down are (2^n + 2^-n) / 2 and (2^n - 2^-n) / 2,
 * for large n too small by the factor that is returned. */
static OVERLOAD F hyperbolic(F x, F *s, F *c, F *up, F *down) {
    F y = fabs(x);
    y = y > 90 ? (F)90 : y;
    F t = y * 0x1.715476p0f + MAGIC_126, n = t - MAGIC_126;
    F r = y - n * 0x1.62e4p-1f;
    r = r - n * 0x1.7f7d1cp-20f;
    F u = r * r;
    F odd = u * 0x1.1227acp-7f + 0x1.5554bp-3f;
    *s = (u * r) * odd + r;
    F even = u * 0x1.6d515ap-10f + 0x1.5554e4p-5f;
    *c = (u * even + 0.5f) * u;
    U bits = BITS(t), most = BITS((F)MAGIC_126) + 126, less = bits < most ? bits : most;
    F plus = FLOAT(less << 23), minus = FLOAT((252 - less) << 23);
    *up = plus + minus;
    *down = plus - minus;
    return FLOAT((bits - less + 127) << 23);
}

OVERLOAD F sinh(F x) {
    F s, c, up, down, scale = hyperbolic(x, &s, &c, &up, &down);
    return with_sign_of((down * c + up * s + down) * scale, x);
}

OVERLOAD F cosh(F x) {
    F s, c, up, down, scale = hyperbolic(x, &s, &c, &up, &down);
    return (up * c + down * s + up) * scale;
}

#endif
