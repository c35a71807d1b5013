/* parts.h: the steps that exponential functions, logarithms and powers of floats are made of. Included by files that
 * widths.h includes, so it is written for one width, and has no guard. */

#define UNUSED __attribute__((unused))

#define MAGIC (0x1.8p23f + 254) /* adding it rounds to an integer; the low bits are then that integer + 254 */

/* p * 2^n, t being n + MAGIC, -278 < n < 256: in two steps, of which only the second one rounds, if the result is
 * subnormal. */
static OVERLOAD UNUSED F scaled(F p, F t) {
    U n = BITS(t), half_of = n >> 1;
    return p * FLOAT(half_of << 23) * FLOAT((n - half_of) << 23);
}

/* e^r for |r| <= log(2) / 2. */
static OVERLOAD UNUSED F exp_near_0(F r) {
    F p = r * 0x1.694cd2p-10f + 0x1.123988p-7f;
    p = p * r + 0x1.555a26p-5f;
    p = p * r + 0x1.555492p-3f;
    p = p * r + 0x1.fffffap-2f;
    return (p * r + 1) * r + 1;
}

/* 2^r for |r| <= 1/2. */
static OVERLOAD UNUSED F exp2_near_0(F r) {
    F p = r * 0x1.3fad5ep-13f + 0x1.5f0ca8p-10f;
    p = p * r + 0x1.3b3096p-7f;
    p = p * r + 0x1.c6af74p-5f;
    p = p * r + 0x1.ebfbd8p-3f;
    p = p * r + 0x1.62e43p-1f;
    return p * r + 1;
}

#define LEAST 0x3f3504f3 /* the bits of sqrt(1/2) */

/* m - 1 for x = m * 2^e, x being positive and finite, m from sqrt(1/2) to sqrt(2). */
static OVERLOAD UNUSED F split(F x, F *e) {
    F normal = x * 0x1p23f;
    U bits = BITS(x < 0x1p-126f ? normal : x) - LEAST;
    I exponent = __builtin_astype(bits, I) >> 23, drop = exponent - 23;
    *e = CONVERT(x < 0x1p-126f ? drop : exponent, F);
    return FLOAT((bits & 0x7fffff) + LEAST) - 1;
}

/* log2(a) for a >= 0 as a sum of *low and the result, which has any infinity and NaN. The logarithm of m = a / 2^e is the
 * series of 2 / log(2) * atanh(s) with s = (m - 1) / (m + 1); what the quotient lacks comes from its remainder. */
static OVERLOAD UNUSED F log2_of(F a, F *low) {
    F e, f = split(a, &e), d = f + 2, s = f / d;
    F rest = fma(-s, d, f) - s * (f - (d - 2));
    F u = s * s;
    F p = u * 0x1.b940fep-2f + 0x1.274c9ap-1f;
    p = p * u + 0x1.ec70d2p-1f;
    F high = s * 0x1.715476p1f, sum = e + high;
    F l = fma(s, 0x1.715476p1f, -high) + s * 0x1.4ae0cp-25f;
    l = (rest * (0.5f - 0.5f * s)) * 0x1.715476p1f + l; // 1 / d is (1 - s) / 2
    l = (s * u) * p + l;
    *low = (high - (sum - e)) + l;
    sum = a < INFINITY ? sum : a;
    return a == 0 ? (F)-INFINITY : sum;
}

static OVERLOAD UNUSED F with_sign_of(F positive, F x) {
    return FLOAT(BITS(positive) | (BITS(x) & 0x80000000));
}
