/* power.h: pow and powr of log2_of, for floats and doubles. Included by files that widths.h includes, which define
 * EXTREME, beyond which 2^x overflows or is 0, and FAR, beyond which every power of all but 1 is: written for one width, and
 * without a guard. */

/* 2^(high + low); low counts only where high is finite and neither overflows nor underflows. */
static OVERLOAD F power_of_two(F high, F low) {
    low = fabs(high) < EXTREME ? low : (F)0;
    high = high > EXTREME ? (F)EXTREME : high;
    high = high < -EXTREME ? (F)-EXTREME : high;
    F t = (high + low) + MAGIC;
    return scaled(exp2_near_0((high - (t - MAGIC)) + low), t);
}

static OVERLOAD F undefined_if(I truth, F x) {
    return FLOAT(truth ? (U)~(U)0 : BITS(x));
}

OVERLOAD F pow(F x, F y) {
    F low, l = log2_of(fabs(x), &low), whole = rint(y), half_of = y * (F)0.5f;
    F z = y > FAR ? (F)FAR : y; // which times 0 isn't a NaN
    z = z < -FAR ? (F)-FAR : z;
    F high = z * l, p = power_of_two(high, fma(z, l, -high) + z * low);
    I odd = (whole == y) & (rint(half_of) != half_of);
    U sign = odd ? BITS(x) & SIGN : (U)0;
    p = undefined_if((x < 0) & (x > -INFINITY) & (whole != y), FLOAT(BITS(p) | sign));
    return ((x == 1) | (y == 0)) ? (F)1 : p;
}

OVERLOAD F powr(F x, F y) {
    F low, l = log2_of(fabs(x), &low), high = y * l;
    return undefined_if(x < 0, power_of_two(high, fma(y, l, -high) + y * low));
}
