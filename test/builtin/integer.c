/* integer.c: integer functions (OpenCL C 6.15.3) against plain C, bit by bit. */
#include "builtin.h"

#include <stdio.h>
#include <string.h>

typedef __int128 big; /* all values and their sums and products, but for one sum of products */

static big least(enum type t) {
    return is_signed(t) ? -((big)1 << (8 * type_sizes[t] - 1)) : 0;
}

static big most(enum type t) {
    return ((big)1 << (8 * type_sizes[t] - (is_signed(t) ? 1 : 0))) - 1;
}

static big saturated(enum type t, big x) {
    return x < least(t) ? least(t) : x > most(t) ? most(t) : x;
}

static big size_of(big x) {
    return x < 0 ? -x : x;
}

/* Each takes the type of the first argument, and the arguments. The result's low bits count. */
static big f_abs(enum type t, const big *a) {
    return size_of(a[0]);
}
static big f_abs_diff(enum type t, const big *a) {
    return size_of(a[0] - a[1]);
}
static big f_add_sat(enum type t, const big *a) {
    return saturated(t, a[0] + a[1]);
}
static big f_sub_sat(enum type t, const big *a) {
    return saturated(t, a[0] - a[1]);
}
static big f_hadd(enum type t, const big *a) {
    return (a[0] + a[1]) >> 1;
}
static big f_rhadd(enum type t, const big *a) {
    return (a[0] + a[1] + 1) >> 1;
}
static big f_clz(enum type t, const big *a) {
    unsigned n = 8 * type_sizes[t], zeros = 0;
    while (zeros < n && !(a[0] >> (n - 1 - zeros) & 1)) {
        zeros++;
    }
    return zeros;
}
static big f_ctz(enum type t, const big *a) {
    unsigned n = 8 * type_sizes[t], zeros = 0;
    while (zeros < n && !(a[0] >> zeros & 1)) {
        zeros++;
    }
    return zeros;
}
static big f_popcount(enum type t, const big *a) {
    unsigned ones = 0;
    for (unsigned i = 0; i < 8 * type_sizes[t]; i++) {
        ones += a[0] >> i & 1;
    }
    return ones;
}
/* The product of two ulongs needs all 128 bits. */
static big f_mul_hi(enum type t, const big *a) {
    return t == ULONG ? (big)((unsigned __int128)a[0] * (unsigned __int128)a[1] >> 64)
                      : a[0] * a[1] >> (8 * type_sizes[t]);
}
static big f_mad_hi(enum type t, const big *a) {
    return f_mul_hi(t, a) + a[2];
}
static big f_mad_sat(enum type t, const big *a) {
    if (t == ULONG) {
        unsigned __int128 sum = (unsigned __int128)a[0] * (unsigned __int128)a[1] + (unsigned __int128)a[2];
        return sum > UINT64_MAX ? UINT64_MAX : (big)sum;
    }
    return saturated(t, a[0] * a[1] + a[2]);
}
static big f_max(enum type t, const big *a) {
    return a[0] > a[1] ? a[0] : a[1];
}
static big f_min(enum type t, const big *a) {
    return a[0] < a[1] ? a[0] : a[1];
}
static big f_clamp(enum type t, const big *a) {
    return a[0] < a[1] ? a[1] : a[0] > a[2] ? a[2] : a[0];
}
static big f_rotate(enum type t, const big *a) {
    unsigned n = 8 * type_sizes[t], by = (unsigned)a[1] & (n - 1);
    unsigned __int128 x = (unsigned __int128)a[0] & (((unsigned __int128)1 << n) - 1);
    return (big)(x << by | x >> (n - by));
}
static big f_upsample(enum type t, const big *a) {
    return a[0] * ((big)1 << (8 * type_sizes[t])) + a[1];
}
static big f_mul24(enum type t, const big *a) {
    return a[0] * a[1];
}
static big f_mad24(enum type t, const big *a) {
    return a[0] * a[1] + a[2];
}

static big bits(enum type t, big x) {
    return x & most(is_signed(t) ? (enum type)(t + 1) : t);
}
static big f_bit_reverse(enum type t, const big *a) {
    big reversed = 0;
    for (unsigned i = 0, n = 8 * type_sizes[t]; i < n; i++) {
        reversed |= (a[0] >> i & 1) << (n - 1 - i);
    }
    return reversed;
}
static big f_bitfield_insert(enum type t, const big *a) {
    big mask = (((big)1 << a[3]) - 1) << a[2];
    return (bits(t, a[0]) & ~mask) | (bits(t, a[1]) << a[2] & mask);
}
static big f_bitfield_extract_unsigned(enum type t, const big *a) {
    return bits(t, a[0]) >> a[1] & (((big)1 << a[2]) - 1);
}
static big f_bitfield_extract_signed(enum type t, const big *a) {
    big field = f_bitfield_extract_unsigned(t, a);
    return a[2] && field >> (a[2] - 1) & 1 ? field - ((big)1 << a[2]) : field;
}

static bool check(const struct call *c, size_t place, char why[160]) {
    const struct declared *d = c->declared;
    big (*reference)(enum type, const big *) = (big (*)(enum type, const big *))c->family->data;
    big args[4] = {0};
    for (unsigned i = 0; i < d->nparams; i++) {
        size_t at = d->params[i].width == 1 ? place % (c->items) : place;
        int64_t x = integer_at(d->params[i].type, c->params[i], at);
        args[i] = is_signed(d->params[i].type) ? (big)x : (big)(uint64_t)x;
    }
    int64_t want = (int64_t)reference(d->params[0].type, args);
    snprintf(why, 160, "0x%llx", (long long)want);
    return !memcmp(&want, (char *)c->result + place * type_sizes[d->result.type], type_sizes[d->result.type]);
}

static void values_24(const struct declared *d, unsigned index, enum type t, void *array) {
    values_any(d, index, t, array);
    for (size_t p = 0; p < PLACES && index < 2; p++) {
        int64_t x = integer_at(t, array, p);
        integer_put(t, array, p, t == INT ? (int64_t)((uint64_t)x << 40) >> 40 : x & 0xffffff);
    }
}

/* The bounds in order, as clamp wants them. */
static void values_clamp(const struct declared *d, unsigned index, enum type t, void *array) {
    if (index < 2) {
        values_any(d, index, t, array);
        return;
    }
    for (size_t p = 0; p < PLACES; p++) {
        integer_put(t, array, p, (int64_t)(p % 3 ? random_bits() : UINT64_MAX >> !!is_signed(t)));
    }
}

static bool check_clamp(const struct call *c, size_t place, char why[160]) {
    const struct param *p = &c->declared->params[1];
    size_t at = p->width == 1 ? place % (c->items) : place;
    int64_t low = integer_at(p->type, c->params[1], at), high = integer_at(p->type, c->params[2], at);
    return (is_signed(p->type) ? low > high : (uint64_t)low > (uint64_t)high) || check(c, place, why);
}

/* All places and lengths of fields that the type has, down to none. */
static void values_field(const struct declared *d, unsigned index, enum type t, void *array) {
    unsigned width = 8 * type_sizes[d->params[0].type];
    values_any(d, index, t, array);
    for (size_t p = 0; p < PLACES && index + 2 >= d->nparams; p++) {
        unsigned offset = (unsigned)(p * 7) % (width + 1), most = width - offset;
        integer_put(t, array, p, index + 1 < d->nparams ? offset : p / (width + 1) % (most + 1));
    }
}

/* ---- dot products ---- */

static int64_t byte_of(const struct call *c, unsigned param, size_t item, unsigned j) {
    const struct param *p = &c->declared->params[param];
    const char *packed = strstr(c->declared->name, "packed_");
    if (!packed) {
        return integer_at(p->type, c->params[param], item + j * c->items);
    }
    uint32_t word = (uint32_t)integer_at(UINT, c->params[param], item) >> (8 * j);
    return packed[7 + param] == 's' ? (int8_t)word : (uint8_t)word;
}

static bool check_dot(const struct call *c, size_t place, char why[160]) {
    const struct declared *d = c->declared;
    int64_t sum = 0;
    for (unsigned j = 0; j < 4; j++) {
        sum += byte_of(c, 0, place, j) * byte_of(c, 1, place, j);
    }
    if (strstr(d->name, "acc_sat")) {
        sum = (int64_t)saturated(d->result.type, sum + integer_at(d->result.type, c->params[2], place));
    }
    snprintf(why, 160, "0x%llx", (long long)sum);
    return place >= c->items || !memcmp(&sum, (char *)c->result + place * 4, 4);
}

#define FAMILY(f)   {#f, values_any, check, (const void *)f_##f, 10}
#define HEAVY(f, n) {#f, values_any, check, (const void *)f_##f, n}
static const struct family families[] = {
    FAMILY(abs),
    FAMILY(abs_diff),
    FAMILY(add_sat),
    FAMILY(sub_sat),
    FAMILY(hadd),
    FAMILY(rhadd),
    HEAVY(clz, 20),
    HEAVY(ctz, 20),
    HEAVY(popcount, 20),
    HEAVY(mul_hi, 20),
    HEAVY(mad_hi, 20),
    HEAVY(mad_sat, 30),
    FAMILY(max),
    FAMILY(min),
    FAMILY(rotate),
    FAMILY(upsample),
    FAMILY(bit_reverse),
    {"bitfield_insert", values_field, check, (const void *)f_bitfield_insert, 20},
    {"bitfield_extract_signed", values_field, check, (const void *)f_bitfield_extract_signed, 20},
    {"bitfield_extract_unsigned", values_field, check, (const void *)f_bitfield_extract_unsigned, 20},
    {"dot*", values_any, check_dot, NULL, 20},
    {"clamp", values_clamp, check_clamp, (const void *)f_clamp, 10},
    {"mul24", values_24, check, (const void *)f_mul24, 10},
    {"mad24", values_24, check, (const void *)f_mad24, 10},
};

static bool is_integer(const struct declared *d) {
    return !is_real(d->result.type);
}

int main(int argc, char **argv) {
    return builtin_main(argc, argv, families, sizeof families / sizeof *families, "", is_integer);
}
