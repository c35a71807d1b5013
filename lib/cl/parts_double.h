/* parts_double.h: what parts.h has, for doubles: the steps that exponential functions, logarithms and powers are made of.
 * Included by files that widths.h includes, so it is written for one width, and has no guard. */

#define UNUSED __attribute__((unused))

#define MAGIC (0x1.8p52 + 2046) /* adding it rounds to an integer; the low bits are then that integer + 2046 */

/* p * 2^n, t being n + MAGIC, -2046 <= n < 2048: in two steps, of which only the second one rounds, if the result is
 * subnormal. */
static OVERLOAD UNUSED F scaled(F p, F t) {
    U n = BITS(t), half_of = n >> 1;
    return p * FLOAT(half_of << 52) * FLOAT((n - half_of) << 52);
}

#define MAGIC_16 (0x1.8p48 + 2046) /* MAGIC for sixteenths */

/* The root, 2^(n / 16), for n & 15. */
static OVERLOAD UNUSED F root_of(U n) {
    static constant double roots[16] = {
        0x1p0,
        0x1.0b5586cf9890fp0,
        0x1.172b83c7d517bp0,
        0x1.2387a6e756238p0,
        0x1.306fe0a31b715p0,
        0x1.3dea64c123422p0,
        0x1.4bfdad5362a27p0,
        0x1.5ab07dd485429p0,
        0x1.6a09e667f3bcdp0,
        0x1.7a11473eb0187p0,
        0x1.8ace5422aa0dbp0,
        0x1.9c49182a3f090p0,
        0x1.ae89f995ad3adp0,
        0x1.c199bdd85529cp0,
        0x1.d5818dcfba487p0,
        0x1.ea4afa2a490dap0,
    };
#if IS_VECTOR
    F root;
    for (int i = 0; i < N; i++) {
        root[i] = roots[n[i] & 15];
    }
    return root;
#else
    return roots[n & 15];
#endif
}

/* e^r * 2^n for |r| <= log(2) / 32, t being n + MAGIC_16, where n is a multiple of 1/16. */
static OVERLOAD UNUSED F scaled_by_table(F r, F t) {
    F p = r * 0x1.6c14c6e02d05cp-10 + 0x1.11123aaee4afbp-7;
    p = p * r + 0x1.55555558fcb5ap-5;
    p = p * r + 0x1.555555548f884p-3;
    p = p * r + 0x1.fffffffffffb9p-2;
    p = (r * r) * p + r;
    F root = root_of(BITS(t));
    U n = BITS(t) >> 4, half_of = BITS(t) >> 5;
    return (p * root + root) * FLOAT(half_of << 52) * FLOAT((n - half_of) << 52);
}

/* 2^r for |r| <= 1/2. */
static OVERLOAD UNUSED F exp2_near_0(F r) {
    F p = r * 0x1.e79b6d1fd650ep-32 + 0x1.e61bb49b6f05dp-28;
    p = p * r + 0x1.b5267d933a0a6p-24;
    p = p * r + 0x1.62bfc7663f230p-20;
    p = p * r + 0x1.ffcbfba8ea3eap-17;
    p = p * r + 0x1.4309130eed314p-13;
    p = p * r + 0x1.5d87fe78cd9a1p-10;
    p = p * r + 0x1.3b2ab6fba00bcp-7;
    p = p * r + 0x1.c6b08d7049fe7p-5;
    p = p * r + 0x1.ebfbdff82c5a4p-3;
    p = p * r + 0x1.62e42fefa39efp-1;
    return p * r + 1;
}

#define LEAST 0x3fe6a09e667f3bcd /* the bits of sqrt(1/2) */

/* e for what is m * 2^e and has these bits, less those of LEAST: the bits of e + 1024 are those of an integer that is
 * added to 2^52, as few processors convert integers of 64 bits. */
static OVERLOAD UNUSED F exponent_of(U bits) {
    return FLOAT(((bits + 0x4000000000000000) >> 52) | 0x4330000000000000) - (0x1p52 + 1024);
}

/* m - 1 for x = m * 2^e, x being positive and finite, m from sqrt(1/2) to sqrt(2). */
static OVERLOAD UNUSED F split(F x, F *e) {
    F normal = x * 0x1p52;
    U bits = BITS(x < 0x1p-1022 ? normal : x) - LEAST;
    F exponent = exponent_of(bits), drop = exponent - 52;
    *e = x < 0x1p-1022 ? drop : exponent;
    return FLOAT((bits & 0xfffffffffffff) + LEAST) - 1;
}

static OVERLOAD UNUSED F with_sign_of(F positive, F x) {
    return FLOAT(BITS(positive) | (BITS(x) & 0x8000000000000000));
}
