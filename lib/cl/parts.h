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

/* 2^(n + r), t being n + MAGIC, |r| <= 1/2. */
static OVERLOAD UNUSED F two_to(F t, F r) {
    F p = r * 0x1.3fad5ep-13f + 0x1.5f0ca8p-10f;
    p = p * r + 0x1.3b3096p-7f;
    p = p * r + 0x1.c6af74p-5f;
    p = p * r + 0x1.ebfbd8p-3f;
    p = p * r + 0x1.62e43p-1f;
    return scaled(p * r + 1, t);
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

static OVERLOAD UNUSED F with_sign_of(F positive, F x) {
    return FLOAT(BITS(positive) | (BITS(x) & 0x80000000));
}
