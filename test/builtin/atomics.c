/* atomics.c: C11 and legacy atomics (OpenCL C 6.15.12) of all types in global and local memory: what they return and what
 * they leave behind, where each work-item has a variable of its own. Orders and scopes take turns, three to a call.
 * That they are atomic is what test/kernel/atomics and test/litmus show. */
#include "builtin.h"

#include <stdio.h>
#include <string.h>

enum { AFTER = PLACES * 8, EXPECTED = PLACES * 16 }; /* behind the result: the variable, what was expected */

static bool has(const struct call *c, const char *word) {
    return strstr(c->declared->name, word);
}

/* One of the orders that the function may have, strongest first for the others. */
static const char *order_of(const struct call *c, unsigned k) {
    static const char *const loads[] = {"seq_cst", "acquire", "relaxed"},
                             *const stores[] = {"seq_cst", "release", "relaxed"},
                             *const all[] = {"acq_rel", "seq_cst", "acquire", "release", "relaxed"};
    bool is_load = has(c, "load"), is_store = has(c, "store") || has(c, "clear");
    return is_load ? loads[k % 3] : is_store ? stores[k % 3] : all[k % 5];
}

static const char *failure_of(const char *order) {
    return !strcmp(order, "acq_rel") ? "acquire" : !strcmp(order, "release") ? "relaxed" : order;
}

static const char *space_name(const struct call *c, unsigned i) {
    enum space space = c->declared->params[i].space;
    return space == LOCAL || (space == PRIVATE && c->turn % 2) ? "local" : "global";
}

/* One call, with the order and scope number k. */
static void emit_call(FILE *f, const struct call *c, unsigned k) {
    static const char *const scopes[] = {"work_group", "device", "all_svm_devices", "sub_group"};
    const struct declared *d = c->declared;
    const char *order = order_of(c, k);
    bool returns = d->result.type != VOID;
    unsigned others = 0;
    fprintf(f, "        *v = x;\n        e[0] = y;\n        %s%s(p", returns ? "r = " : "", d->name);
    for (unsigned i = 1; i < d->nparams; i++) {
        if (d->params[i].pointer) {
            fprintf(f, ", e");
        } else if (d->params[i].type != OTHER) {
            fprintf(f, ", a%u", i);
        } else if (i == d->nparams - 1 && strstr(d->text, "memory_scope")) {
            fprintf(f, ", memory_scope_%s", scopes[k / 2 % 4]);
        } else {
            fprintf(f, ", memory_order_%s", others++ ? failure_of(order) : order);
        }
    }
    fprintf(f, ");\n");
}

static void emit_values(FILE *f, const struct call *c, const char *variable, unsigned i) {
    const char *type = type_names[c->declared->params[i].type];
    fprintf(f, "        %s %s = ((global const %s *)(in + %zu))[g];\n", type, variable, type, c->in[i]);
}

static void emit(FILE *f, const struct call *c) {
    const struct declared *d = c->declared;
    const char *type = type_names[d->params[0].type], *space = space_name(c, 0);
    bool returns = d->result.type != VOID, compares = d->nparams > 1 && d->params[1].pointer;
    char result[32], at[64], named[32];
    emit_values(f, c, "x", 0);
    for (unsigned i = 1; i < d->nparams; i++) {
        snprintf(named, sizeof named, d->params[i].pointer ? "y" : "a%u", i);
        if (d->params[i].type != OTHER) {
            emit_values(f, c, named, i);
        }
    }
    snprintf(at, sizeof at, *space == 'l' ? "(scratch + 8 * l)" : "(out + %zu + 8 * g)",
             c->result_at + EXPECTED + AFTER);
    fprintf(f, "        volatile %s %s *v = (volatile %s %s *)%s;\n", space, type, space, type, at);
    snprintf(named, sizeof named,
             strstr(d->name, "flag") ? "atomic_flag"
             : d->params[0].atomic   ? "atomic_%s"
                                     : "%s",
             type);
    fprintf(f, "        volatile %s %s *p = (volatile %s %s *)v;\n", space, named, space, named);
    if (compares && d->params[1].space == LOCAL) {
        fprintf(f, "        local %s *e = (local %s *)(scratch + 8192 + 8 * l);\n", type, type);
    } else if (compares && d->params[1].space == GLOBAL) {
        fprintf(f, "        global %s *e = (global %s *)(out + %zu + 8 * g);\n", type, type,
                c->result_at + EXPECTED + 2 * AFTER);
    } else {
        fprintf(f, "        %s e[1]%s;\n", type, compares ? "" : ", y = 0");
    }
    if (returns) {
        fprintf(f, "        %s r, first;\n", spelled(d->result, result));
    }
    fprintf(f, "        bool same = true;\n        %s after;\n", type);
    for (unsigned k = 0; k < 3; k++) {
        emit_call(f, c, (unsigned)c->turn + 7 * k);
        fprintf(f, k ? "        same &= *v == after%s;\n" : "        after = *v;\n%s",
                k && returns ? " && r == first" : "");
        if (returns && !k) {
            fprintf(f, "        first = r;\n");
        }
        if (!strstr(d->text, "memory_order")) {
            break;
        }
    }
    if (returns) {
        emit_stores(f, c, d->result, "first", c->result_at);
    }
    emit_stores(f, c, (struct param){.type = d->params[0].type, .width = 1}, "after", c->result_at + AFTER);
    emit_stores(f, c, (struct param){.type = d->params[0].type, .width = 1}, "e[0]", c->result_at + EXPECTED);
    fprintf(f, "        if (!same) ((global uchar *)(out + %zu))[8 * g] ^= 0x55;\n", c->result_at + AFTER);
}

/* The same of numbers, given and returned as their bits. */
static int64_t applied_to_reals(const struct call *c, int64_t x, int64_t y) {
    enum type t = c->declared->params[0].type;
    double a = real_at(t, &x, 0), b = real_at(t, &y, 0);
    double r = has(c, "add") ? a + b : has(c, "sub") ? a - b : (has(c, "min") ? a < b : a > b) ? a : b;
    int64_t bits = 0;
    real_put(t, &bits, 0,
             r); /* sums of floats in double and then in float are rounded as they would be at once */
    return bits;
}

/* What the variable x becomes by the operation with y; an exchange by a comparison is not among them. */
static int64_t applied(const struct call *c, int64_t x, int64_t y) {
    bool is_unsigned = !is_signed(c->declared->params[0].type);
    bool less = is_unsigned ? (uint64_t)x < (uint64_t)y : x < y;
    return has(c, "test_and_set") ? 1
           : has(c, "clear")      ? 0
           : has(c, "load")       ? x
           : has(c, "inc")        ? x + 1
           : has(c, "dec")        ? x - 1
           : has(c, "add")        ? x + y
           : has(c, "sub")        ? x - y
           : has(c, "min")        ? (less ? x : y)
           : has(c, "max")        ? (less ? y : x)
           : has(c, "and")        ? x & y
           : has(c, "xor")        ? x ^ y
           : has(c, "_or")        ? x | y
                                  : y;
}

static int64_t bits_at(enum type t, const void *array, size_t place) {
    int64_t x = 0;
    memcpy(&x, (const char *)array + place * type_sizes[t], type_sizes[t]);
    return is_real(t) ? x : integer_at(t, array, place);
}

static bool check(const struct call *c, size_t place, char why[160]) {
    const struct declared *d = c->declared;
    enum type t = d->params[0].type;
    bool compares = has(c, "compare"), legacy_compares = has(c, "cmpxchg");
    int64_t x = bits_at(t, c->params[0], place), y = 0, desired = 0;
    if (d->nparams > 1 && d->params[1].type != OTHER) {
        y = bits_at(t, c->params[1], place);
    }
    if (compares || legacy_compares) {
        desired = bits_at(t, c->params[2], place);
    }
    int64_t after = compares || legacy_compares     ? (x == y ? desired : x)
                    : is_real(t) && has(c, "fetch") ? applied_to_reals(c, x, y)
                                                    : applied(c, x, y);
    int64_t got = bits_at(t, (char *)c->result + AFTER, place),
            expected = bits_at(t, (char *)c->result + EXPECTED, place);
    int64_t returned = d->result.type == VOID ? 0 : bits_at(d->result.type, c->result, place);
    int64_t want = d->result.type == VOID ? 0 : compares ? x == y : x;
    snprintf(why, 160, "0x%llx; then the variable is 0x%llx, not 0x%llx", (long long)want, (long long)got,
             (long long)after);
    if (type_sizes[t] == 4) {
        after = is_signed(t) ? (int32_t)after : (int64_t)(uint32_t)after;
    }
    return got == after && returned == want && (!compares || expected == x);
}

/* Half of what is expected is there. Bits of reals are any but those of NaNs, which differ from themselves. */
static void values(const struct declared *d, unsigned index, enum type t, void *array) {
    static uint64_t kept[PLACES];
    for (size_t p = 0; p < PLACES; p++) {
        uint64_t x = random_bits() >> (random_bits() % 60);
        x = strstr(d->name, "flag") ? x % 2 : is_real(t) ? x & 0x3fff3fff3fff3fff : x;
        kept[p] = index != 1 || p % 2 ? x : kept[p];
        memcpy((char *)array + p * type_sizes[t], &kept[p], type_sizes[t]);
    }
}

#define ATOMIC(name) {name, values, check, NULL, 100, 3, emit}
static const struct family families[] = {
    ATOMIC("atomic_init"),      ATOMIC("atomic_store*"),  ATOMIC("atomic_load*"),  ATOMIC("atomic_exchange*"),
    ATOMIC("atomic_compare_*"), ATOMIC("atomic_fetch_*"), ATOMIC("atomic_flag_*"), ATOMIC("atom_*"),
    ATOMIC("atomic_add"),       ATOMIC("atomic_sub"),     ATOMIC("atomic_xchg"),   ATOMIC("atomic_inc"),
    ATOMIC("atomic_dec"),       ATOMIC("atomic_cmpxchg"), ATOMIC("atomic_min"),    ATOMIC("atomic_max"),
    ATOMIC("atomic_and"),       ATOMIC("atomic_or"),      ATOMIC("atomic_xor"),
};

int main(int argc, char **argv) {
    return builtin_main(argc, argv, families, sizeof families / sizeof *families, "", NULL);
}
