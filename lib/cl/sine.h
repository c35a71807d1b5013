/* sine.h: the steps from `waves` to sin, cos, sincos and tan, for floats and doubles. Included by files that widths.h
 * includes, which define HUGE and waves: written for one width, and without a guard. */

/* The bits of sin(x + turn * pi/2). Off by at most 1.7 units in the last place (4 are allowed). */
static OVERLOAD U wave(F x, U turn) {
    F s, c;
    U quarter = waves(x, &s, &c) + turn, y = (quarter & 1) == 1 ? BITS(c) : BITS(s);
    return y ^ ((quarter & 2) << (TOP - 1));
}

#define FAR(f)                                                                                               \
    OVERLOAD PURE F libclc_##f(F x) __asm__("__libclc_Z3" #f CODE);                                          \
    OVERLOAD PURE __attribute__((noinline)) F __weir_lane_##f(F x) {                                         \
        return libclc_##f(x);                                                                                \
    }
FAR(sin)
FAR(cos)
FAR(tan)

OVERLOAD F sin(F x) {
    F y = FLOAT(wave(fabs(x), 0) ^ (BITS(x) & SIGN));
    return SOME(!(fabs(x) < HUGE)) ? (fabs(x) < HUGE ? y : __weir_lane_sin(x)) : y;
}

OVERLOAD F cos(F x) {
    F y = FLOAT(wave(fabs(x), 1));
    return SOME(!(fabs(x) < HUGE)) ? (fabs(x) < HUGE ? y : __weir_lane_cos(x)) : y;
}

/* Off by less than 4 units in the last place (5 are allowed). */
OVERLOAD F tan(F x) {
    F s, c;
    U odd = waves(fabs(x), &s, &c) & 1;
    F y = (odd == 1 ? c : s) / (odd == 1 ? s : c);
    y = FLOAT(BITS(y) ^ (odd << TOP) ^ (BITS(x) & SIGN));
    return SOME(!(fabs(x) < HUGE)) ? (fabs(x) < HUGE ? y : __weir_lane_tan(x)) : y;
}

#define SINCOS(S)                                                                                            \
    OVERLOAD F sincos(F x, S F *cosine) {                                                                    \
        *cosine = cos(x);                                                                                    \
        return sin(x);                                                                                       \
    }
SINCOS()
SINCOS(global)
SINCOS(local)
