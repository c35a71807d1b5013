/* mathematical.c: mathematical functions (OpenCL C 6.15.2) of one type against MPFR, within the bounds of section 7.4, with the
 * values at the edges of their domains that section 7.5 and the C standard's annex F ask for. */
#include "builtin.h"

#include <limits.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define RND MPFR_RNDN

static bool finite_only, flushes, free_zeros, is_rough; /* what the build options allow */

/* ---- references: a real function of up to three reals, or of a real and an integer ---- */

struct arguments {
    enum type type;
    mpfr_ptr x[3];
    long n; /* the second one, if it is an integer */
    double d[3];
};

#define UNARY(name, f)                                                                                       \
    static void r_##name(mpfr_ptr r, const struct arguments *a) {                                            \
        f(r, a->x[0], RND);                                                                                  \
    }
#define BINARY(name, f)                                                                                      \
    static void r_##name(mpfr_ptr r, const struct arguments *a) {                                            \
        f(r, a->x[0], a->x[1], RND);                                                                         \
    }
#define INTEGER(name, f)                                                                                     \
    static void r_##name(mpfr_ptr r, const struct arguments *a) {                                            \
        f(r, a->x[0], a->n, RND);                                                                            \
    }
UNARY(acos, mpfr_acos)
UNARY(acosh, mpfr_acosh)
UNARY(acospi, mpfr_acospi)
UNARY(asin, mpfr_asin)
UNARY(asinh, mpfr_asinh)
UNARY(asinpi, mpfr_asinpi)
UNARY(atan, mpfr_atan)
UNARY(atanh, mpfr_atanh)
UNARY(atanpi, mpfr_atanpi)
UNARY(cbrt, mpfr_cbrt)
UNARY(cos, mpfr_cos)
UNARY(cosh, mpfr_cosh)
UNARY(cospi, mpfr_cospi)
UNARY(erf, mpfr_erf)
UNARY(erfc, mpfr_erfc)
UNARY(exp, mpfr_exp)
UNARY(exp10, mpfr_exp10)
UNARY(exp2, mpfr_exp2)
UNARY(expm1, mpfr_expm1)
UNARY(lgamma, mpfr_lngamma)
UNARY(log, mpfr_log)
UNARY(log10, mpfr_log10)
UNARY(log1p, mpfr_log1p)
UNARY(log2, mpfr_log2)
UNARY(sin, mpfr_sin)
UNARY(sinh, mpfr_sinh)
UNARY(sinpi, mpfr_sinpi)
UNARY(sqrt, mpfr_sqrt)
UNARY(tan, mpfr_tan)
UNARY(tanh, mpfr_tanh)
UNARY(tanpi, mpfr_tanpi)
UNARY(tgamma, mpfr_gamma)
BINARY(atan2, mpfr_atan2)
BINARY(atan2pi, mpfr_atan2pi)
BINARY(divide, mpfr_div)
BINARY(hypot, mpfr_hypot)
BINARY(pow, mpfr_pow)
BINARY(powr, mpfr_powr)
INTEGER(pown, mpfr_pow_si)
INTEGER(rootn, mpfr_rootn_si)

static void r_rsqrt(mpfr_ptr r, const struct arguments *a) {
    mpfr_rec_sqrt(r, a->x[0], RND);
    mpfr_setsign(r, r, mpfr_zero_p(a->x[0]) && mpfr_signbit(a->x[0]), RND);
}

static void r_recip(mpfr_ptr r, const struct arguments *a) {
    mpfr_ui_div(r, 1, a->x[0], RND);
}

/* ---- references of exact functions: the host's, of doubles, which hold any float ---- */

#define EXACT(name, expression)                                                                              \
    static double e_##name(enum type t, const double *x, long n, double *second) {                           \
        return expression;                                                                                   \
    }
static double magnitude(const double *x, double sign) {
    double a = sign * fabs(x[0]), b = sign * fabs(x[1]);
    return a > b ? x[0] : b > a ? x[1] : sign > 0 ? fmax(x[0], x[1]) : fmin(x[0], x[1]);
}
static double rounded(enum type t, double x) {
    return t == HALF ? half_value(half_of(x, "")) : t == FLOAT ? (double)(float)x : x;
}
static double neighbour(enum type t, double x, double y) {
    unsigned h = half_of(x, "");
    if (t != HALF) {
        return t == FLOAT ? (double)nextafterf((float)x, (float)y) : nextafter(x, y);
    }
    return x != x || y != y ? NAN
           : x == y         ? y
           : x == 0         ? copysign(0x1p-24, y)
                            : half_value((x < y) == (x > 0) ? h + 1 : h - 1);
}
static double fraction(enum type t, double x, double *whole) {
    double below = floor(x), most = 1 - unit(t) / 2;
    *whole = below;
    double rest = rounded(t, x - below);
    return isinf(x) ? copysign(0.0, x) : rest > most ? most : rest;
}
static double with_exponent(double x, double *exponent) {
    int e = 0;
    double m = frexp(x, &e);
    *exponent = isfinite(x) ? e : NAN; /* any */
    return m;
}
static double remainder_of(const double *x, double *second) {
    MPFR_DECL_INIT(a, 53);
    MPFR_DECL_INIT(b, 53);
    MPFR_DECL_INIT(r, 53);
    long q = 0;
    mpfr_set_d(a, x[0], RND);
    mpfr_set_d(b, x[1], RND);
    mpfr_remquo(r, &q, a, b, RND);
    *second = isfinite(x[0]) && x[1] != 0 && x[1] == x[1] ? (double)(q < 0 ? -(-q & 127) : q & 127) : NAN;
    return remainder(x[0], x[1]);
}
static double integer_logarithm(double x) {
    return x == 0 ? INT_MIN : isfinite(x) ? ilogb(x) : INT_MAX;
}
EXACT(ceil, ceil(x[0]))
EXACT(copysign, copysign(x[0], x[1]))
EXACT(fabs, fabs(x[0]))
EXACT(fdim, t == FLOAT ? fdimf((float)x[0], (float)x[1]) : fdim(x[0], x[1]))
EXACT(floor, floor(x[0]))
EXACT(fma, t == FLOAT ? fmaf((float)x[0], (float)x[1], (float)x[2]) : fma(x[0], x[1], x[2]))
EXACT(fmax, fmax(x[0], x[1]))
EXACT(fmin, fmin(x[0], x[1]))
EXACT(fmod, fmod(x[0], x[1]))
EXACT(fract, fraction(t, x[0], second))
EXACT(frexp, with_exponent(x[0], second))
EXACT(ilogb, integer_logarithm(x[0]))
EXACT(ldexp, t == FLOAT ? ldexpf((float)x[0], (int)n) : ldexp(x[0], (int)n))
EXACT(logb, logb(x[0]))
EXACT(maxmag, magnitude(x, 1))
EXACT(minmag, magnitude(x, -1))
EXACT(modf, modf(x[0], second))
EXACT(nan, NAN)
EXACT(nextafter, neighbour(t, x[0], x[1]))
EXACT(remainder, remainder(x[0], x[1]))
EXACT(remquo, remainder_of(x, second))
EXACT(rint, rint(x[0]))
EXACT(round, round(x[0]))
EXACT(trunc, trunc(x[0]))
EXACT(step, x[1] < x[0] ? 0.0 : 1.0)
EXACT(max, x[0] < x[1] ? x[1] : x[0])
EXACT(min, x[1] < x[0] ? x[1] : x[0])
EXACT(clamp, fmin(fmax(x[0], x[1]), x[2]))
EXACT(sign, x[0] != x[0] ? 0.0 : x[0] == 0 ? x[0] : copysign(1.0, x[0]))

/* ---- the table ---- */

enum { NO_BOUND = -1 };
struct function {
    const char *name;
    void (*reference)(mpfr_ptr, const struct arguments *);
    double (*exact)(enum type, const double *, long n, double *second);
    double ulps_float, ulps_double, ulps_half;
    double from, to; /* where half of the values lie, beside those of all magnitudes */
    unsigned cost;
    double limit; /* arguments beyond have no defined result; 0: none have */
};
#define REAL(name, float_, double_, half_, from, to, cost)                                                   \
    {#name, r_##name, NULL, float_, double_, half_, from, to, cost, 0}
#define SAME_AS(name, f, bound, from, to, limit) {#name, r_##f, NULL, bound, bound, 0, from, to, 60, limit}
#define WHOLE(name, from, to, cost)              {#name, NULL, e_##name, 0, 0, 0, from, to, cost, 0}

static const struct function functions[] = {
    REAL(acos, 4, 4, 2, -1, 1, 80),
    REAL(acosh, 4, 4, 2, 1, 20, 120),
    REAL(acospi, 5, 5, 2, -1, 1, 80),
    REAL(asin, 4, 4, 2, -1, 1, 80),
    REAL(asinh, 4, 4, 2, -20, 20, 120),
    REAL(asinpi, 5, 5, 2, -1, 1, 80),
    REAL(atan, 5, 5, 2, -20, 20, 80),
    REAL(atan2, 6, 6, 2, -20, 20, 100),
    REAL(atan2pi, 6, 6, 2, -20, 20, 100),
    REAL(atanh, 5, 5, 2, -1, 1, 120),
    REAL(atanpi, 5, 5, 2, -20, 20, 80),
    REAL(cbrt, 2, 2, 2, -100, 100, 60),
    REAL(cos, 4, 4, 2, -100, 100, 300),
    REAL(cosh, 4, 4, 2, -90, 90, 100),
    REAL(cospi, 4, 4, 2, -20, 20, 80),
    REAL(erf, 16, 16, 4, -5, 5, 200),
    REAL(erfc, 16, 16, 4, -5, 28, 200),
    REAL(exp, 3, 3, 2, -110, 95, 60),
    REAL(exp10, 3, 3, 2, -46, 39, 60),
    REAL(exp2, 3, 3, 2, -150, 130, 60),
    REAL(expm1, 3, 3, 2, -20, 90, 100),
    REAL(hypot, 4, 4, 2, -100, 100, 60),
    REAL(lgamma, 32, 32, 4, -20, 40, 400),
    {"lgamma_r", r_lgamma, NULL, 32, 32, 4, -20, 40, 400, 0},
    REAL(log, 3, 3, 2, 0, 3, 60),
    REAL(log10, 3, 3, 2, 0, 3, 60),
    REAL(log1p, 2, 2, 2, -1, 3, 80),
    REAL(log2, 3, 3, 2, 0, 3, 60),
    REAL(pow, 16, 16, 4, -10, 10, 200),
    REAL(pown, 16, 16, 4, -10, 10, 200),
    REAL(powr, 16, 16, 4, 0, 10, 200),
    REAL(rootn, 16, 16, 4, -10, 10, 200),
    REAL(rsqrt, 2, 2, 1, 0, 10, 20),
    REAL(sin, 4, 4, 2, -100, 100, 300),
    {"sincos", r_sin, NULL, 4, 4, 2, -100, 100, 400, 0},
    REAL(sinh, 4, 4, 2, -90, 90, 100),
    REAL(sinpi, 4, 4, 2, -20, 20, 80),
    REAL(sqrt, 3, 0.5, 0.5, 0, 10, 20),
    REAL(tan, 5, 5, 2, -100, 100, 300),
    REAL(tanh, 5, 5, 2, -10, 10, 100),
    REAL(tanpi, 6, 6, 2, -20, 20, 80),
    REAL(tgamma, 16, 16, 4, -40, 40, 300),
    WHOLE(ceil, -20, 20, 5),
    WHOLE(copysign, -20, 20, 5),
    WHOLE(fabs, -20, 20, 5),
    WHOLE(fdim, -20, 20, 10),
    WHOLE(floor, -20, 20, 5),
    WHOLE(fma, -20, 20, 10),
    WHOLE(fmax, -20, 20, 5),
    WHOLE(fmin, -20, 20, 5),
    WHOLE(fmod, -20, 20, 200),
    WHOLE(fract, -20, 20, 15),
    WHOLE(frexp, -20, 20, 15),
    WHOLE(ilogb, -20, 20, 15),
    WHOLE(ldexp, -20, 20, 20),
    WHOLE(logb, -20, 20, 15),
    WHOLE(maxmag, -20, 20, 10),
    WHOLE(minmag, -20, 20, 10),
    WHOLE(modf, -20, 20, 10),
    WHOLE(nan, 0, 0, 5),
    WHOLE(nextafter, -20, 20, 20),
    WHOLE(remainder, -20, 20, 200),
    WHOLE(remquo, -20, 20, 200),
    WHOLE(rint, -20, 20, 5),
    WHOLE(round, -20, 20, 5),
    WHOLE(trunc, -20, 20, 5),
    WHOLE(step, -20, 20, 5),
    WHOLE(max, -20, 20, 5),
    WHOLE(min, -20, 20, 5),
    WHOLE(clamp, -20, 20, 5),
    WHOLE(sign, -20, 20, 5),
    SAME_AS(half_cos, cos, 8192, -100, 100, 65536),
    SAME_AS(half_divide, divide, 8192, -10, 10, 0),
    SAME_AS(half_exp, exp, 8192, -80, 80, 0),
    SAME_AS(half_exp10, exp10, 8192, -40, 40, 0),
    SAME_AS(half_exp2, exp2, 8192, -120, 120, 0),
    SAME_AS(half_log, log, 8192, 0, 10, 0),
    SAME_AS(half_log10, log10, 8192, 0, 10, 0),
    SAME_AS(half_log2, log2, 8192, 0, 10, 0),
    SAME_AS(half_powr, powr, 8192, 0, 10, 0),
    SAME_AS(half_recip, recip, 8192, -10, 10, 0),
    SAME_AS(half_rsqrt, rsqrt, 8192, 0, 10, 0),
    SAME_AS(half_sin, sin, 8192, -100, 100, 65536),
    SAME_AS(half_sqrt, sqrt, 8192, 0, 10, 0),
    SAME_AS(half_tan, tan, 8192, -100, 100, 65536),
    /* What native_ functions give is ours to say: no worse than the others, but for waves, exponential ones and quotients. */
    SAME_AS(native_cos, cos, 4, -100, 100, 0),
    SAME_AS(native_divide, divide, 1024, -10, 10, 0),
    SAME_AS(native_exp, exp, 65, -80, 80, 87),
    SAME_AS(native_exp10, exp10, 80, -40, 40, 37.5),
    SAME_AS(native_exp2, exp2, 3, -120, 120, 125),
    SAME_AS(native_log, log, 3, 0, 10, 0),
    SAME_AS(native_log10, log10, 3, 0, 10, 0),
    SAME_AS(native_log2, log2, 3, 0, 10, 0),
    SAME_AS(native_powr, powr, 200, 0, 10, 0),
    SAME_AS(native_recip, recip, 1024, -10, 10, 0),
    SAME_AS(native_rsqrt, rsqrt, 1024, 0, 10, 0),
    SAME_AS(native_sin, sin, 4, -100, 100, 0),
    SAME_AS(native_sqrt, sqrt, 3, 0, 10, 0),
    SAME_AS(native_tan, tan, 5, -100, 100, 0),
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static enum type tested;
static enum math_forms tested_forms;
static unsigned slice; /* of all half numbers */

/* ---- values ---- */

static void integers(const struct declared *d, enum type t, void *array) {
    for (size_t p = 0; p < PLACES; p++) {
        int64_t x = integer_at(t, array, p), small = (int64_t)(random_bits() % 41) - 20;
        bool scale = !strcmp(d->name, "ldexp");
        integer_put(t, array, p, p % 4 == 0 ? x : scale ? small * (int64_t)(random_bits() % 110) : small);
    }
}

static void values(const struct declared *d, unsigned index, enum type t, void *array) {
    const struct function *f = functions;
    while (strcmp(f->name, d->name)) {
        f++;
    }
    values_any(d, index, t, array);
    if (tested_forms == FORMS_ONE && t == HALF) {
        for (size_t p = 0; p < PLACES; p++) {
            ((uint16_t *)array)[p] = (uint16_t)(slice * PLACES + p);
        }
        return;
    }
    if (!is_real(t)) {
        integers(d, t, array);
        return;
    }
    double more = t == DOUBLE && fabs(f->to) > 30 ? 8 : 1; /* the exponents' range */
    for (size_t p = PLACES / 3; p < PLACES; p += 1 + p % 2) {
        double x = random_between(f->from * more, f->to * more);
        real_put(t, array, p, p % 16 == 0 ? rint(x) : p % 16 == 2 ? rint(x * 4) / 4 : x);
    }
    for (size_t p = PLACES / 3 + 7; p < PLACES && d->nparams > 1; p += 16) { /* arguments of similar size */
        real_put(t, array, p, real_at(t, array, p) * (index ? 0x1p-3 : 1));
    }
}

/* ---- comparison ---- */

/* What a function is at a place, as far as a long double holds it; shared with the process that runs the other width. */
struct wanted {
    bool known, is_zero, is_infinite;
    long double value, second;
};
static struct wanted (*all_wanted)[PLACES];

static long double exact_value(mpfr_srcptr r) {
    return mpfr_get_ld(r, RND);
}

static void compute(const struct call *c, const struct function *f, const double *x, long n,
                    struct wanted *w) {
    enum type t = c->declared->params[0].type;
    double second = NAN;
    static mpfr_t a[3], r;
    if (!a[0]->_mpfr_d) {
        mpfr_inits2(96, a[0], a[1], a[2], r, (mpfr_ptr)0);
        mpfr_set_emin(-200000), mpfr_set_emax(200000);
    }
    w->known = true;
    if (f->exact) {
        w->value = f->exact(t, x, n, &second);
        w->second = second;
        return;
    }
    struct arguments args = {.type = t, .n = n};
    for (int i = 0; i < 3; i++) {
        mpfr_set_d(a[i], x[i], RND);
        args.x[i] = a[i];
        args.d[i] = x[i];
    }
    f->reference(r, &args);
    w->value = exact_value(r);
    w->is_zero = mpfr_zero_p(r);
    w->is_infinite = mpfr_inf_p(r);
    if (!strcmp(f->name, "sincos")) {
        mpfr_cos(r, a[0], RND);
        w->second = exact_value(r);
    } else if (!strncmp(f->name, "lgamma", 6)) {
        int sign;
        mpfr_lgamma(r, &sign, a[0], RND);
        w->value = exact_value(r);
        w->second = isfinite(x[0]) && !(x[0] <= 0 && x[0] == rint(x[0])) ? (long double)sign : NAN;
    }
}

static bool is_subnormal(enum type t, long double x) {
    return x != 0 && fabsl(x) < least_normal(t);
}

/* How far off the result is, in units in the last place of what it should be. */
static double ulps(enum type t, double got, long double want) {
    int least = ilogb(least_normal(t)), most = ilogb(largest(t)), e = want == 0 ? least : ilogbl(want);
    long double g = isinf(got) ? copysignl(ldexpl(1, most + 1), got) : got;
    e = e < least ? least : e > most ? most : e;
    if (isinf(got) && fabsl(want) > largest(t) && !signbit(got) == !signbit(want)) {
        return 0;
    }
    return (double)(fabsl(g - want) / ldexpl(unit(t), e));
}

/* A native_ function, or one that the build options make it. */
static bool is_native_wave(const struct function *f, enum type t) {
    bool is_wave = f->reference == r_sin || f->reference == r_cos || f->reference == r_tan;
    bool is_native = !strncmp(f->name, "native_", 7);
    return is_wave &&
           (is_native || (is_rough && t == FLOAT && f->reference != r_tan && !strchr(f->name, '_')));
}

static bool is_close(const struct function *f, enum type t, double got, long double want, double bound,
                     bool exact_zero) {
    double nearest = rounded(t, (double)want);
    if (want != want || got != got) {
        return want != want && got != got;
    }
    if (is_native_wave(f, t)) { /* as of an argument that is so much off */
        return fabs(got - (double)want) <= 0x1p-21 * (f->reference == r_tan ? 1 + (double)(want * want) : 1);
    }
    if (!strcmp(f->name, "native_powr") && got == 0 && want < 0x1p-125L) {
        return true;
    }
    if (f->exact) { /* of two zeros fmax and fmin may return either */
        bool any_zero = !strncmp(f->name, "fm", 2) || !strcmp(f->name + 1, "ax") ||
                        !strcmp(f->name + 1, "in") || !strcmp(f->name, "clamp") || strstr(f->name, "mag");
        return got == nearest && (any_zero || free_zeros || !signbit(got) == !signbit(nearest));
    }
    if (exact_zero) {
        return got == 0 && (free_zeros || !signbit(got) == !signbit(want));
    }
    if (flushes && got == 0 && is_subnormal(t, want)) {
        return true;
    }
    if (!strncmp(f->name, "lgamma", 6) && fabsl(want) < 1) { /* near its zeros */
        return fabs(got - (double)want) <= bound * unit(t);
    }
    return ulps(t, got, want) <= bound;
}

/* Whether the build options or the function leave the result open. */
static bool is_open(const struct function *f, enum type t, const double *x, unsigned n,
                    const struct wanted *w) {
    bool rough = !strncmp(f->name, "half_", 5) || !strncmp(f->name, "native_", 7);
    if (!strcmp(f->name, "native_rsqrt") && isinf(x[0])) {
        return true;
    }
    for (unsigned i = 0; i < n; i++) {
        if ((finite_only && !isfinite(x[i])) || ((flushes || rough) && is_subnormal(t, x[i])) ||
            (f->limit && fabs(x[i]) > f->limit) || (is_native_wave(f, t) && fabs(x[i]) > 65536)) {
            return true;
        }
    }
    bool unordered = f->exact == e_max || f->exact == e_min || f->exact == e_clamp;
    if (unordered && (x[0] != x[0] || x[1] != x[1] || (n > 2 && !(x[1] <= x[2])))) {
        return true;
    }
    return (finite_only && (w->value != w->value || fabsl(w->value) > largest(t) * 0.99L)) ||
           ((flushes || rough) && is_subnormal(t, w->value)) || (rough && fabsl(w->value) > largest(t));
}

static bool check(const struct call *c, size_t place, char why[160]) {
    const struct function *f = c->family->data;
    const struct declared *d = c->declared;
    enum type t = is_real(d->params[0].type) ? d->params[0].type : d->result.type;
    struct wanted fresh = {0}, *w = &fresh;
    double x[3] = {0};
    long n = 0;
    unsigned reals = 0;
    bool aligned = true; /* all arguments are this place's */
    for (unsigned i = 0; i < d->nparams; i++) {
        bool alone = d->params[i].width == 1 && c->width > 1;
        size_t at = alone ? place % (c->items) : place;
        aligned &= at == place;
        if (c->is_output[i]) {
            continue;
        }
        if (is_real(d->params[i].type)) {
            x[reals++] = real_at(d->params[i].type, c->params[i], at);
        } else {
            n = integer_at(d->params[i].type, c->params[i], at);
        }
    }
    if (aligned) {
        w = &all_wanted[f - functions][place];
    }
    if (!w->known) {
        compute(c, f, x, n, w);
    }
    if (is_open(f, t, x, reals, w)) {
        return true;
    }
    double bound = t == HALF ? f->ulps_half : t == FLOAT ? f->ulps_float : f->ulps_double;
    double got = is_real(d->result.type) ? real_at(d->result.type, c->result, place)
                                         : (double)integer_at(d->result.type, c->result, place);
    bool right = is_close(f, is_real(d->result.type) ? t : DOUBLE, got, w->value, bound, w->is_zero);
    snprintf(why, 160, "%La (%.9Lg), %.2f ulps", w->value, w->value, ulps(t, got, w->value));
    unsigned last = d->nparams - 1;
    if (c->is_output[last]) {
        enum type o = d->params[last].type;
        double also =
            is_real(o) ? real_at(o, c->params[last], place) : (double)integer_at(o, c->params[last], place);
        bool open = !is_real(o) && w->second != w->second;
        right &= open || is_close(f, is_real(o) ? t : DOUBLE, also, w->second, bound, false);
        snprintf(why + strlen(why), 160 - strlen(why), " and %La", w->second);
    }
    return right;
}

static bool is_tested(const struct declared *d) {
    const struct param *last = &d->params[d->nparams - 1];
    bool is_type = d->params[0].type == tested || (!is_real(d->params[0].type) && d->result.type == tested);
    bool is_form = tested_forms == FORMS_FEW        ? d->result.width == 4
                   : tested_forms == FORMS_ONE      ? d->result.width == 1 && is_real(d->params[0].type) &&
                                                          (d->nparams == 1 || d->params[1].pointer)
                   : tested_forms == FORMS_POINTERS ? last->pointer && last->space != PRIVATE
                                                    : true;
    return is_type && is_form;
}

int math_main(int argc, char **argv, enum type t, enum math_forms forms, const char *options) {
    static struct family families[FUNCTIONS];
    tested = t;
    tested_forms = forms;
    finite_only = strstr(options, "finite-math") || strstr(options, "fast-relaxed");
    is_rough = strstr(options, "unsafe") || strstr(options, "fast-relaxed");
    flushes = strstr(options, "denorms") || strstr(options, "unsafe") || strstr(options, "fast-relaxed");
    all_wanted =
        mmap(NULL, FUNCTIONS * sizeof *all_wanted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all_wanted == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    for (size_t i = 0; i < FUNCTIONS; i++) {
        unsigned cost = functions[i].cost * (t == DOUBLE ? 2 : 1);
        families[i] = (struct family){functions[i].name, values, check, &functions[i], cost};
    }
    int failed = 0;
    bool all = forms == FORMS_ONE && !getenv("WEIR_TEST_QUICK");
    for (slice = 0; slice <= (all ? 65535 / PLACES : 0); slice++) {
        memset(all_wanted, 0, FUNCTIONS * sizeof *all_wanted);
        failed |= builtin_main(argc, argv, families, FUNCTIONS, options, is_tested);
    }
    return failed;
}
