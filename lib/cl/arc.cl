/* arc.cl: asin, acos, atan and atan2 of floats (OpenCL C 6.15.2) in one straight line of instructions, with polynomials of
 * least relative error. Off by less than 2.5 units in the last place (4 are allowed, for atan 5, for atan2 6). */
#ifndef N
#define FILE "arc.cl"
#include "widths.h"
#else
#include "parts.h"

#define PI      0x1.921fb6p1f
#define PI_REST -0x1.777a5cp-24f /* of pi */

/* asin(x) for |x| <= 1/2, u being x^2. */
static OVERLOAD F asin_near_0(F x, F u) {
    F p = u * 0x1.596a7ap-5f + 0x1.8c30b6p-6f;
    p = p * u + 0x1.747cbep-5f;
    p = p * u + 0x1.3301fep-4f;
    p = p * u + 0x1.5555c8p-3f;
    return (x * u) * p + x;
}

/* asin(x) is pi/2 - 2 * asin(sqrt((1 - x) / 2)): of that or of |x| itself the asin, whichever is less than 1/2. */
static OVERLOAD F lesser_asin(F a) {
    F far = 0.5f - 0.5f * a, root = __builtin_elementwise_sqrt(far), near = a * a;
    return asin_near_0(a > 0.5f ? root : a, a > 0.5f ? far : near);
}

OVERLOAD F asin(F x) {
    F a = fabs(x), r = lesser_asin(a), far = PI / 2 - (2 * r - PI_REST / 2);
    return with_sign_of(a > 0.5f ? far : r, x);
}

OVERLOAD F acos(F x) {
    F a = fabs(x), r = lesser_asin(a), twice = 2 * r;
    F same = FLOAT(BITS(r) ^ (BITS(x) & 0x80000000)), near = PI / 2 - (same - PI_REST / 2);
    F back = PI - (twice - PI_REST), far = x < 0 ? back : twice;
    return a > 0.5f ? far : near;
}

/* atan(x) for 0 <= x <= 1. */
static OVERLOAD F atan_to_1(F x) {
    F u = x * x;
    F p = u * 0x1.7ec1c4p-9f - 0x1.0c23fep-6f;
    p = p * u + 0x1.61f756p-5f;
    p = p * u - 0x1.3553f4p-4f;
    p = p * u + 0x1.b4dfdcp-4f;
    p = p * u - 0x1.230abp-3f;
    p = p * u + 0x1.9978eep-3f;
    p = p * u - 0x1.5554dcp-2f;
    return (x * u) * p + x;
}

OVERLOAD F atan(F x) {
    F a = fabs(x), r = atan_to_1((a > 1 ? (F)1 : a) / (a > 1 ? a : (F)1)), far = PI / 2 - (r - PI_REST / 2);
    return with_sign_of(a > 1 ? far : r, x);
}

OVERLOAD F atan2(F y, F x) {
    F a = fabs(y), b = fabs(x), less = a < b ? a : b, more = a < b ? b : a; // both a NaN, if one is
    F equal = a > 0 ? (F)1 : (F)0, ratio = less / more;
    F r = atan_to_1(a == b ? equal : ratio), steep = PI / 2 - (r - PI_REST / 2);
    r = a > b ? steep : r;
    F back = PI - (r - PI_REST);
    return with_sign_of(__builtin_astype(x, I) < 0 ? back : r, y);
}

#endif
