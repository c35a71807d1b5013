/* memory.c: vector loads and stores, those of half numbers in all rounding modes (OpenCL C 6.15.7), in all address spaces,
 * exactly: vectors at odd elements, and what lies between them stays as it was. */
#include "builtin.h"

#include <math.h>
#include <string.h>

/* What the name says. */
struct access {
    unsigned param; /* the pointer */
    unsigned n, stride, first;
    bool half, load;
};

static struct access access_of(const struct call *c) {
    const struct declared *d = c->declared;
    bool aligned = d->name[strlen("vload")] == 'a' || d->name[strlen("vstore")] == 'a',
         load = d->name[1] == 'l';
    unsigned n = c->width;
    return (struct access){.param = load ? 1 : 2,
                           .n = n,
                           .stride = aligned && n == 3 ? 4 : n,
                           .first = !aligned,
                           .half = strstr(d->name, "half"),
                           .load = load};
}

/* Work-items access vectors in the opposite order. In private memory it is the second of two. */
static size_t element(const struct access *a, const struct call *c, size_t place) {
    return a->first + (c->items - 1 - place % c->items) * a->stride + place / c->items;
}

static const char *storage(const struct call *c, const struct access *a) {
    return a->half ? "ushort" : type_names[c->declared->params[a->param].type];
}

/* Declares `at`, where the function is to access memory, and the index `i`; `far` is the array in global memory. */
static void emit_place(FILE *f, const struct call *c, const struct access *a) {
    const char *type = storage(c, a), *access = a->load ? "const" : "";
    size_t offset = a->load ? c->in[a->param] : c->out[a->param];
    fprintf(f, "        global %s %s *far = (global %s %s *)(%s + %zu);\n", access, type, access, type,
            a->load ? "in" : "out", offset);
    fprintf(f, "        size_t last = %u - g, i = ", c->items - 1);
    switch (call_space(c, a->param)) {
    case GLOBAL:
        fprintf(f, "last;\n        global %s %s *at = far;\n", access, type);
        break;
    case CONSTANT:
        fprintf(f, "last;\n        constant %s *at = (constant %s *)(con + %zu);\n", type, type, offset);
        break;
    case LOCAL:
        fprintf(f, "l;\n        local %s *at = (local %s *)scratch;\n", type, type);
        break;
    default:
        fprintf(f, "1;\n        %s at[%u] __attribute__((aligned(128)));\n", type, 2 * a->stride + 1);
        break;
    }
}

/* Copies what lies at index i between `far` and the memory that the function accesses. */
static void emit_copy(FILE *f, const struct call *c, const struct access *a, bool back) {
    char near[64], far[64];
    enum space space = call_space(c, a->param);
    if (space == LOCAL || space == PRIVATE) {
        snprintf(near, sizeof near, "at[%u + i * %u + j]", a->first, a->stride);
        snprintf(far, sizeof far, "far[%u + last * %u + j]", a->first, a->stride);
        fprintf(f, "        for (int j = 0; j < %u; j++) %s = %s;\n", a->stride, back ? far : near,
                back ? near : far);
    }
}

static void emit(FILE *f, const struct call *c) {
    static const char *const spaces[] = {"", "global", "local", "constant"};
    struct access a = access_of(c);
    const struct declared *d = c->declared;
    const char *type = type_names[d->params[a.param].type], *space = spaces[call_space(c, a.param)];
    char vector[32];
    emit_place(f, c, &a);
    emit_copy(f, c, &a, false);
    if (a.load) {
        fprintf(f, "        %s r = %s(i, (%s const %s *)(at + %u));\n", spelled(d->result, vector), d->name,
                space, type, a.first);
        emit_stores(f, c, d->result, "r", c->result_at);
        return;
    }
    fprintf(f, "        %s((%s)(", d->name, spelled(d->params[0], vector));
    for (unsigned j = 0; j < a.n; j++) {
        fprintf(f, "%s((global const %s *)(in + %zu))[g + %u]", j ? ", " : "", type_names[d->params[0].type],
                c->in[0], j * c->items);
    }
    fprintf(f, "), i, (%s %s *)(at + %u));\n", space, type, a.first);
    emit_copy(f, c, &a, true);
}

static bool is_nan_half(unsigned h) {
    return (h & 0x7fff) > 0x7c00;
}

static bool check_load(const struct call *c, size_t place, char why[160]) {
    struct access a = access_of(c);
    size_t from = element(&a, c, place);
    unsigned size = type_sizes[c->declared->result.type];
    if (!a.half) {
        return !memcmp((char *)c->result + place * size, (char *)c->params[1] + from * size, size);
    }
    double want = half_value(((uint16_t *)c->params[1])[from]), got = real_at(FLOAT, c->result, place);
    snprintf(why, 160, "%a", want);
    return want != want ? got != got : got == want && !signbit(got) == !signbit(want);
}

static bool check_store(const struct call *c, size_t place, char why[160]) {
    struct access a = access_of(c);
    const struct declared *d = c->declared;
    size_t to = element(&a, c, place), gap = element(&a, c, place % c->items) + 3;
    uint16_t *halves = c->params[2];
    if ((a.first && *(char *)c->params[2] != '\xa5') || (a.stride > a.n && halves[gap] != 0xa5a5)) {
        snprintf(why, 160, "between the vectors nothing");
        return false;
    }
    unsigned size = type_sizes[d->params[2].type];
    if (!a.half) {
        return !memcmp((char *)c->params[2] + to * size, (char *)c->params[0] + place * size, size);
    }
    unsigned want = half_of(real_at(d->params[0].type, c->params[0], place), d->name), got = halves[to];
    snprintf(why, 160, "0x%x but 0x%x", want, got);
    return got == want || (is_nan_half(want) && is_nan_half(got));
}

/* Reals: half numbers, ties between them and what is next to those. Half numbers: all of them, in some order. */
static void values(const struct declared *d, unsigned index, enum type t, void *array) {
    if (t == HALF) {
        for (size_t p = 0; p < 2 * PLACES; p++) { /* read beyond PLACES by vectors of three */
            ((uint16_t *)array)[p] = (uint16_t)(p * 40503);
        }
        return;
    }
    values_any(d, index, t, array);
    for (size_t p = 300; p < PLACES && is_real(t) && strstr(d->name, "half"); p++) {
        real_put(t, array, p, between_halves());
    }
}

static const struct family families[] = {
    {"vload*", values, check_load, NULL, 40, 2, emit},
    {"vstore*", values, check_store, NULL, 40, 0, emit},
};

/* The forms for named address spaces, which there are instead of the generic ones in OpenCL C 1.2. Long vectors, whose
 * code is long, take turns. */
static bool has_named_space(const struct declared *d) {
    static unsigned turn;
    const struct param *pointer = &d->params[d->nparams - 1];
    bool is_long = d->result.width > 4 || d->params[0].width > 4;
    return pointer->space != CONSTANT && (!is_long || turn++ % 4 == 0);
}

int main(int argc, char **argv) {
    return builtin_main(argc, argv, families, 2, "", NULL) |
           builtin_main(argc, argv, families, 2, "-cl-std=CL1.2", has_named_space);
}
