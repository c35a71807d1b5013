/* args.c: the grammar of `weir run --arg`: text and a kernel's parameter in, a ready argument out.
 *
 *   [in|out|inout:][TYPE:][COUNT][=SOURCE]   buffers;  a SOURCE may also stand alone
 *   [local:][TYPE:]COUNT                     local memory
 *   [value:][TYPE:]X[,Y...]                  values;   =FILE for structs
 */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char arg_help[] =
    "Arguments, in the order of the kernel's parameters:\n"
    "  buffers   [in|out|inout:][TYPE:][COUNT][=SOURCE], or a SOURCE alone\n"
    "  local     [local:][TYPE:]COUNT      COUNT elements of local memory\n"
    "  values    [value:][TYPE:]X[,Y,...]  a scalar, a vector, or =FILE for a struct\n"
    "TYPE is OpenCL C's (float, uint4, ...); left out, it is the parameter's. COUNT is in elements; left "
    "out,\n"
    "it is the file's or the number of work-items. A buffer without a SOURCE is an output of zeros. Outputs\n"
    "(out, inout, or a SOURCE for a parameter that isn't const) are printed or saved with --out.\n"
    "SOURCE is one of\n"
    "  zeros, ones           the same number everywhere\n"
    "  iota[:FIRST[:STEP]]   0, 1, 2, ...\n"
    "  random[:SEED]         uniform: [0, 1) or all integers; same seed, same numbers\n"
    "  X[,Y,...]             these numbers, again and again\n"
    "  FILE.npy              numpy's array of the same type\n"
    "  FILE                  raw bytes\n";

enum role { ROLE_NONE, ROLE_IN, ROLE_OUT, ROLE_INOUT, ROLE_VALUE, ROLE_LOCAL };

struct reader {
    const char *text, *at; /* the whole of --arg, and what is left of it */
    const struct param *param;
};

static _Noreturn void bad(const struct reader *r, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void bad(const struct reader *r, enum exit_code code, const char *format, ...) {
    char *what;
    va_list args;
    va_start(args, format);
    if (vasprintf(&what, format, args) < 0)
        what = NULL;
    va_end(args);
    die(code, "argument %u (%s%s%s), '%s': %s", r->param->index, r->param->type_name,
        *r->param->type_name && *r->param->name ? " " : "", r->param->name, r->text, what ? what : "");
}

/* Takes the next piece if it ends in ':', in '=' (left standing) or with the text. */
static size_t piece(const struct reader *r) {
    return strcspn(r->at, ":=");
}

static void take(struct reader *r, size_t n) {
    r->at += n;
    if (*r->at == ':')
        r->at++;
}

static enum role read_role(struct reader *r) {
    static const char *const names[] = {"", "in", "out", "inout", "value", "local"};
    size_t n = piece(r);
    for (int i = ROLE_IN; i <= ROLE_LOCAL; i++)
        if (strlen(names[i]) == n && !memcmp(names[i], r->at, n)) {
            take(r, n);
            return i;
        }
    return ROLE_NONE;
}

/* The parameter's element type where the text names none; false: a struct, or not known. */
static bool read_type(struct reader *r, struct type *type) {
    size_t n = piece(r);
    if (type_parse(r->at, n, type)) {
        take(r, n);
        return true;
    }
    return type_parse(r->param->type_name, strcspn(r->param->type_name, "*"), type);
}

static bool read_count(struct reader *r, size_t *count) {
    size_t n = piece(r);
    char *digits = must_printf("%.*s", (int)n, r->at);
    uint64_t value;
    bool ok = parse_uint(digits, &value);
    free(digits);
    if (ok) {
        *count = value;
        take(r, n);
    }
    return ok;
}

static int kind_of(const struct reader *r, enum role role) {
    const struct param *p = r->param;
    int kind = role == ROLE_VALUE ? KIND_VALUE : role == ROLE_LOCAL ? KIND_LOCAL : KIND_BUFFER;
    if (!p->known) {
        if (role == ROLE_NONE)
            bad(r, EXIT_USAGE, "the program has no argument information: say in:, out:, value: or local:");
        return kind;
    }
    int wanted = p->space == CL_KERNEL_ARG_ADDRESS_PRIVATE ? KIND_VALUE
                 : p->space == CL_KERNEL_ARG_ADDRESS_LOCAL ? KIND_LOCAL
                                                           : KIND_BUFFER;
    if (role != ROLE_NONE && kind != wanted)
        bad(r, EXIT_USAGE, "the parameter is %s",
            wanted == KIND_VALUE   ? "a value: say value:..."
            : wanted == KIND_LOCAL ? "local memory: say local:COUNT"
                                   : "a buffer: say in:..., out:... or inout:...");
    return wanted;
}

static size_t elements_bytes(const struct reader *r, size_t count, const struct type *type) {
    size_t bytes;
    if (__builtin_mul_overflow(count, type_size(type), &bytes))
        bad(r, EXIT_USAGE, "too large");
    if (!bytes)
        bad(r, EXIT_USAGE, "no elements: give a COUNT, or a --global without zeros");
    return bytes;
}

/* ---- values ------------------------------------------------------------------------------------------- */

static void load_file(const struct reader *r, const char *path, struct buf *file) {
    if (!read_file(path, file))
        bad(r, EXIT_FAULT, "cannot read %s: %s%s", path, strerror(errno),
            strpbrk(path, "./") ? "" : "; a SOURCE is zeros, ones, iota, random, numbers or a file");
}

static void parse_value(struct reader *r, struct arg *arg) {
    bool has_type = read_type(r, &arg->type);
    if (*r->at == '=') {
        struct buf file = {0};
        load_file(r, r->at + 1, &file);
        arg->data = file.data, arg->bytes = file.size;
        return;
    }
    if (!has_type)
        bad(r, EXIT_USAGE, "no TYPE is known for it: say value:TYPE:X, or =FILE for a struct");
    arg->bytes = type_size(&arg->type);
    arg->data = must_alloc(arg->bytes);
    unsigned lane = 0;
    do {
        if (lane == arg->type.lanes || !type_scan(&arg->type, &r->at, arg->data + lane * arg->type.bytes))
            bad(r, EXIT_USAGE, "%s wants %u number%s that fit%s", type_name(&arg->type), arg->type.lanes,
                arg->type.lanes == 1 ? "" : "s", arg->type.lanes == 1 ? "s" : "");
        lane++;
    } while (*r->at == ',' && *++r->at);
    if (*r->at)
        bad(r, EXIT_USAGE, "'%s' is not a number", r->at);
    if (lane != 1 && lane != arg->type.lanes)
        bad(r, EXIT_USAGE, "%s wants 1 or %u numbers", type_name(&arg->type), arg->type.lanes);
    for (; lane < arg->type.lanes; lane++)
        memcpy(arg->data + lane * arg->type.bytes, arg->data, arg->type.bytes);
}

/* ---- buffers -------------------------------------------------------------------------------------------- */

/* Scalar number i of an array in memory: elements of 3 lanes have a gap after them. */
static unsigned char *scalar_at(const struct arg *arg, size_t i) {
    return arg->data + i / arg->type.lanes * type_size(&arg->type) + i % arg->type.lanes * arg->type.bytes;
}

static size_t scalars_of(const struct arg *arg) {
    return arg->count * arg->type.lanes;
}

static void fill_iota(struct arg *arg, double first, double step) {
    for (size_t i = 0, n = scalars_of(arg); i < n; i++)
        type_set(&arg->type, scalar_at(arg, i), first + step * (double)i);
}

static uint64_t random_next(uint64_t *state) { /* splitmix64 */
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void fill_random(struct arg *arg, double number) {
    uint64_t seed;
    memcpy(&seed, &number, sizeof seed);
    static const int digits[] = {[2] = 11, [4] = 24, [8] = 53}; /* of the significand: never rounds to 1 */
    for (size_t i = 0, n = scalars_of(arg); i < n; i++) {
        uint64_t bits = random_next(&seed);
        int used = digits[arg->type.bytes];
        if (arg->type.class == TYPE_FLOAT)
            type_set(&arg->type, scalar_at(arg, i), (double)(bits >> (64 - used)) / (double)(1ull << used));
        else
            memcpy(scalar_at(arg, i), &bits, arg->type.bytes);
    }
}

/* "X,Y,...": repeated over the array; false: not numbers. */
static bool fill_list(struct arg *arg, const char *text) {
    size_t n = 0, cap = strlen(text) / 2 + 1, size = arg->type.bytes;
    unsigned char *list = must_alloc(cap * size);
    bool ok;
    do
        ok = n < cap && type_scan(&arg->type, &text, list + n++ * size);
    while (ok && *text == ',' && *++text);
    ok = ok && !*text;
    for (size_t i = 0, total = scalars_of(arg); ok && i < total; i++)
        memcpy(scalar_at(arg, i), list + i % n * size, size);
    free(list);
    return ok;
}

/* "name", "name:a" or "name:a:b"; the numbers come back in `values` where given. */
static bool generator(const struct reader *r, const char *text, const char *name, unsigned max,
                      double *values) {
    size_t n = strlen(name);
    if (strncmp(text, name, n) || (text[n] && text[n] != ':'))
        return false;
    text += n;
    for (unsigned i = 0; *text; i++) {
        char *end;
        if (i == max && !max)
            bad(r, EXIT_USAGE, "%s takes no number; a count stands before, as in 64=%s", name, name);
        if (i == max)
            bad(r, EXIT_USAGE, "%s takes %u number%s", name, max, max == 1 ? "" : "s");
        values[i] = strtod(text + 1, &end);
        if (end == text + 1 || (*end && *end != ':'))
            bad(r, EXIT_USAGE, "'%s' is not a number", text + 1);
        text = end;
    }
    return true;
}

/* Fills by a generator or a list of numbers; false: the source is a file. */
static bool fill_generated(const struct reader *r, struct arg *arg, const char *source) {
    double v[2] = {0, 1};
    if (generator(r, source, "zeros", 0, v))
        return true;
    if (generator(r, source, "ones", 0, v))
        fill_iota(arg, 1, 0);
    else if (generator(r, source, "iota", 2, v))
        fill_iota(arg, v[0], v[1]);
    else if (v[0] = 1, generator(r, source, "random", 1, v))
        fill_random(arg, v[0]);
    else
        return fill_list(arg, source);
    return true;
}

static void fill_file(const struct reader *r, struct arg *arg, const char *path, bool has_count) {
    struct buf file = {0};
    load_file(r, path, &file);
    const void *data = file.data;
    size_t size = file.size, element = (size_t)arg->type.bytes * arg->type.lanes;
    if (npy_is(file.data, file.size)) {
        const char *problem = npy_read(file.data, file.size, &arg->type, &data, &size);
        if (problem)
            bad(r, EXIT_FAULT, "%s %s", path, problem);
    } else {
        element = type_size(&arg->type);
    }
    if (size % element)
        bad(r, EXIT_FAULT, "%s holds %zu bytes, not a multiple of %zu", path, size, element);
    if (has_count && arg->count > size / element)
        bad(r, EXIT_FAULT, "%s holds %zu elements, fewer than %zu", path, size / element, arg->count);
    if (!has_count)
        arg->count = size / element;
    arg->bytes = elements_bytes(r, arg->count, &arg->type);
    arg->data = must_alloc(arg->bytes);
    for (size_t i = 0; i < arg->count; i++)
        memcpy(arg->data + i * type_size(&arg->type), (const char *)data + i * element, element);
    buf_free(&file);
}

/* A buffer may have any contents, but those of another type are a mistake more often than not. */
static void note_other_type(const struct reader *r, const struct arg *arg) {
    const struct param *p = r->param;
    struct type own;
    if (type_parse(p->type_name, strcspn(p->type_name, "*"), &own) &&
        ((own.class == TYPE_FLOAT) != (arg->type.class == TYPE_FLOAT) || own.bytes != arg->type.bytes))
        fprintf(stderr,
                "weir: note: argument %u (%s %s) gets elements of %s: the kernel takes their bits for %s\n",
                p->index, p->type_name, p->name, type_name(&arg->type), type_name(&own));
}

static void parse_buffer(struct reader *r, struct arg *arg, enum role role, size_t items) {
    if (!read_type(r, &arg->type))
        bad(r, EXIT_USAGE, "no TYPE is known for it: say one, as in %s:uchar:4096",
            role == ROLE_NONE ? "inout" : "in");
    note_other_type(r, arg);
    arg->count = items;
    bool has_count = read_count(r, &arg->count);
    const char *source = *r->at == '=' ? r->at + 1 : *r->at ? r->at : NULL;
    if (has_count && source && *r->at != '=')
        bad(r, EXIT_USAGE, "what is '%s'? a SOURCE comes after '='", source);
    arg->is_out = role == ROLE_OUT || role == ROLE_INOUT || (role == ROLE_NONE && !r->param->is_const);
    arg->bytes = elements_bytes(r, arg->count, &arg->type);
    arg->data = calloc(1, arg->bytes ? arg->bytes : 1);
    if (!arg->data)
        bad(r, EXIT_FAULT, "no memory for its %zu bytes", arg->bytes);
    if (!source || fill_generated(r, arg, source))
        return;
    free(arg->data);
    fill_file(r, arg, source, has_count);
}

void arg_parse(struct arg *arg, const char *text, const struct param *param, size_t items) {
    struct reader r = {text, text, param};
    enum role role = read_role(&r);
    *arg = (struct arg){.kind = kind_of(&r, role), .param = *param};
    if (arg->kind == KIND_VALUE) {
        parse_value(&r, arg);
    } else if (arg->kind == KIND_BUFFER) {
        parse_buffer(&r, arg, role, items);
    } else {
        if (!read_type(&r, &arg->type))
            type_parse("uchar", 5, &arg->type);
        if (!read_count(&r, &arg->count) || *r.at)
            bad(&r, EXIT_USAGE, "local memory wants a number of elements, as in local:256");
        arg->bytes = elements_bytes(&r, arg->count, &arg->type);
    }
}
