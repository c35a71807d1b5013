// erf, erfc, tan and tgamma of floats: within what the specification allows of double's or the recurrence's, also in
// the vector forms, and right at the edges.
// options: -cl-std=CL3.0 -I test/kernel/builtin
// global: 504
// local: 63
// arg: int wrong[504]
// expect: wrong = 0
#include "ulps.h"
#define CHECK(f, limit, at)                                                                                  \
    do {                                                                                                     \
        float it = at, one = f(it);                                                                          \
        float2 both = f((float2)(0.5f, it));                                                                 \
        bad += !(ulps(one, f((double)it)) <= limit) + !same(both.y, one) + !same(both.x, f(0.5f));           \
    } while (0)
// gamma(x) for 8 * x an integer, from gamma's values between 1/8 and 1 and its recurrence.
double gamma_of(float x) {
    double known[] = {7.5339415987976118, 3.6256099082219083, 2.3704361844166009, 1.7724538509055161,
                      1.4345188480905516, 1.2254167024651777, 1.0896523574228969, 1};
    float first = x - ceil(x) + 1;
    double y = known[(int)(first * 8) - 1];
    for (; first < x; first++) {
        y *= first;
    }
    for (; first > x; first--) {
        y /= first - 1;
    }
    return y;
}
#define EDGE(f, x, y)   bad += !same(f(x), y)
#define NO_NUMBER(f, x) bad += !isnan(f(x))

kernel void k(global int *wrong) {
    int g = get_global_id(0), bad = 0;
    for (int i = 0; i < 8; i++) {
        float t = ((float)g + (float)i / 8) / 504.0f, s = i & 1 ? -1.0f : 1.0f;
        float small = ldexp(1.0f + t, (g * 8 + i) % 149 - 149) * s;
        CHECK(erf, 16, t * 5.0f * s);
        CHECK(erf, 16, small);
        CHECK(erfc, 16, t * 15.0f - 4.9f);
        CHECK(erfc, 16, small);
        bad += !(ulps(tgamma(small), 1 / (double)small) <= 16 || fabs(small) > 0x1p-24f);
        CHECK(tan, 5, t * 20.0f * s);
        CHECK(tan, 5, small);
        CHECK(tan, 5, ldexp(1.0f + t, (g * 8 + i) % 128) * s);
    }
    float at = (float)(g - 240) * 0.125f;
    bad += !(at <= 0 && at == rint(at)) && !(ulps(tgamma(at), gamma_of(at)) <= 16);
    bad += !same(tgamma((float2)(0.5f, at)).x, tgamma(0.5f));
    float zero = (float)(g / 1000), minus = -zero, big = zero + INFINITY, none = zero + NAN;
    EDGE(erf, minus, -0.0f), EDGE(erf, big, 1.0f), EDGE(erf, -big, -1.0f), EDGE(erf, zero - 4.0f, -1.0f);
    EDGE(erfc, minus, 1.0f), EDGE(erfc, big, 0.0f), EDGE(erfc, -big, 2.0f), EDGE(erfc, zero + 10.1f, 0.0f);
    NO_NUMBER(erf, none), NO_NUMBER(erfc, none), NO_NUMBER(tan, none), NO_NUMBER(tan, big);
    EDGE(tan, minus, -0.0f), EDGE(tan, zero, 0.0f);
    EDGE(tgamma, zero, INFINITY), EDGE(tgamma, minus, -INFINITY), EDGE(tgamma, zero + 35.1f, INFINITY);
    EDGE(tgamma, big, INFINITY), EDGE(tgamma, zero + 0x1p-129f, INFINITY), EDGE(tgamma, zero - 0x1p-149f, -INFINITY);
    EDGE(tgamma, zero - 42.5f, -0.0f), EDGE(tgamma, zero - 43.5f, 0.0f), EDGE(tgamma, zero - 1000.5f, -0.0f);
    NO_NUMBER(tgamma, none), NO_NUMBER(tgamma, -big), NO_NUMBER(tgamma, zero - 1.0f), NO_NUMBER(tgamma, zero - 0x1p25f);
    wrong[g] = bad;
}
