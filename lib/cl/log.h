/* log.h: what logarithms of floats and of doubles have in common. Included by files that widths.h includes, so it is written for
 * one width, and has no guard. */

#ifdef DOUBLES
#define MANTISSA_OF __weir_part_mantissa_double
#define EXPONENT_OF __weir_part_exponent_double
#else
#define MANTISSA_OF __weir_part_mantissa_float
#define EXPONENT_OF __weir_part_exponent_float
#endif

/* log(x), log1 being that of what is finite and positive. */
static OVERLOAD F defined(F x, F log1) {
    log1 = x < INFINITY ? log1 : x;
    log1 = x == 0 ? (F)-INFINITY : log1;
    return FLOAT(x < 0 ? ~(U)0 : BITS(log1)); // a NaN
}

/* m - 1 for x = m * 2^e, m from 3/4 to 3/2, as the processor says them: what log makes of both is right for all x, as are -infinity,
 * infinity, NaNs. */
static OVERLOAD F parts_of(F x, F *e) {
#if IS_VECTOR
    F m;
    for (int i = 0; i < N; i++) {
        m[i] = MANTISSA_OF(x[i]);
        (*e)[i] = EXPONENT_OF(x[i]) - EXPONENT_OF(m[i]);
    }
#else
    F m = MANTISSA_OF(x);
    *e = EXPONENT_OF(x) - EXPONENT_OF(m);
#endif
    return m - 1;
}
