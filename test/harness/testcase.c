/* testcase.c: the header comment of a kernel test.
 *
 * In: a .cl file that begins with lines `// key: value`, or SPIR-V as text (.spvasm), with `; key: value`. Out: a struct
 * testcase. The keys:
 *   kernel: NAME...       kernels to launch, in this order, each with the same arguments (default: k)
 *   global: 1000 | 30,40  work-items; offset: likewise, default 0
 *   local: 64 7,3 none any   local sizes to try, `none` for NULL, `any` for a list (default any)
 *   options: ...          build options (default -cl-std=CL3.0)
 *   spirv: REASON         not with WEIR_TEST_SPIRV, because of what clang or spirv-opt makes of it
 *   invalid: REASON       spirv-val isn't asked, because of what it doesn't know
 *   arg: TYPE NAME[COUNT] = INIT    a buffer; `svm TYPE NAME[COUNT]` in shared virtual memory
 *   arg: TYPE NAME = EXPR, ...      a value; TYPE may be a vector
 *   arg: struct NAME = TYPE EXPR, ...   a struct by value
 *   arg: local NAME[BYTES]          local memory; arg: null passes a null pointer
 *   expect: NAME = INIT   the buffer's contents after the launches
 *   reference: NAME       a kernel that, run as a single work-item, computes what all buffers must hold
 *   print: TEXT           a line of the expected output (print-unordered: in any order); repeated
 *   build-error: REGEX    the build must fail with a log that matches
 *   needs: nonuniform generic collectives globals   skipped where the device lacks these; also features by their
 *                         names: with __opencl_c_device_enqueue the device has a default queue
 *   finds: KIND LINE [LINE], ... | nothing   run under the checker, which must find just that
 *   set: NAME=VALUE       in the environment
 *   races: WHY            it has errors that the checker finds; other cases have none, and are run under it, too
 *   illegal: finishes     an invalid program: its results are unspecified, but it ends and harms nothing
 * INIT is one expression for all elements or {a, b, c}; see expr.c. Other comment lines have no key.
 */
#include "harness.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static void bad(const char *path, const char *line, const char *why) {
    printf("%s: %s: %s\n", path, why, line);
    exit(2);
}

static char *read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f)
        bad(path, "", "cannot open");
    size_t n = 0, cap = 1 << 16;
    char *text = malloc(cap);
    for (size_t got; (got = fread(text + n, 1, cap - n - 1, f)) > 0;)
        if ((n += got) + 1 == cap)
            text = realloc(text, cap *= 2);
    fclose(f);
    text[n] = 0;
    return text;
}

static const char *skip_space(const char *s) {
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

static struct expr *parse_one(struct testcase *t, const char **at) {
    const char *line = *at, *error;
    struct expr *e = expr_parse(at, &error);
    if (!e)
        bad(t->path, line, error);
    return e;
}

static void add_item(struct testcase *t, struct item_list *list, const char **at) {
    if (list->n == MAX_ITEMS)
        bad(t->path, *at, "list too long");
    list->items[list->n++] = parse_one(t, at);
}

/* One expression, or {list}. */
static void parse_init(struct testcase *t, const char *s, struct item_list *list) {
    s = skip_space(s);
    list->each = *s != '{';
    if (list->each) {
        add_item(t, list, &s);
        return;
    }
    do
        add_item(t, list, (s++, &s));
    while (*s == ',');
    if (*s != '}')
        bad(t->path, s, "'}' expected");
}

static const char *take_word(const char *s, char *out, size_t room) {
    s = skip_space(s);
    size_t n = strcspn(s, " \t[=,");
    snprintf(out, room, "%.*s", (int)n, s);
    return s + n;
}

/* The type of a value or an element, with its vector length. */
static const struct type *parse_type(struct testcase *t, const char *word, unsigned *width) {
    size_t n = strcspn(word, "0123456789");
    const struct type *type = type_find(word, n);
    *width = word[n] ? (unsigned)atoi(word + n) : 1;
    if (!type || *width > 16)
        bad(t->path, word, "no such type");
    return type;
}

static void parse_struct(struct testcase *t, const char *s, struct test_arg *arg) {
    char word[48];
    do {
        s = take_word(s + (*s == ',' || *s == '='), word, sizeof word);
        arg->init.types[arg->init.n] = parse_type(t, word, &arg->width);
        add_item(t, &arg->init, &s);
    } while (*s == ',');
}

static void parse_arg(struct testcase *t, const char *s) {
    static const struct {
        const char *word;
        enum arg_class class;
    } classes[] = {
        {"svm", CLASS_SVM}, {"local", CLASS_LOCAL}, {"struct", CLASS_STRUCT}, {"null", CLASS_NULL}};
    char word[48];
    const char *line = s;
    if (t->nargs == MAX_ITEMS)
        bad(t->path, line, "too many arguments");
    struct test_arg *arg = &t->args[t->nargs++];
    s = take_word(s, word, sizeof word);
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++)
        if (!strcmp(word, classes[c].word))
            arg->class = classes[c].class;
    if (arg->class == CLASS_NULL)
        return;
    if (arg->class == CLASS_SVM)
        s = take_word(s, word, sizeof word);
    if (arg->class == CLASS_BUFFER || arg->class == CLASS_SVM)
        arg->type = parse_type(t, word, &arg->width);
    s = skip_space(take_word(s, arg->name, sizeof arg->name));
    if (*s == '[') {
        s++;
        arg->count = parse_one(t, &s);
        s = skip_space(s + (*s == ']'));
        if (*s == '=')
            parse_init(t, s + 1, &arg->init);
    } else if (*s == '=' && arg->class == CLASS_STRUCT) {
        parse_struct(t, s, arg);
    } else if (*s == '=' && arg->class == CLASS_BUFFER) {
        arg->class = CLASS_VALUE;
        do
            add_item(t, &arg->init, (s++, &s));
        while (*s == ',');
    } else {
        bad(t->path, line, "malformed argument");
    }
}

static void parse_expect(struct testcase *t, const char *s) {
    char name[48];
    const char *line = s;
    s = skip_space(take_word(s, name, sizeof name));
    struct expectation *expect = &t->expects[t->nexpects++];
    while (expect->arg < t->nargs && strcmp(t->args[expect->arg].name, name))
        expect->arg++;
    if (t->nexpects == 16 || expect->arg == t->nargs || *s != '=')
        bad(t->path, line, "malformed expectation");
    parse_init(t, s + 1, &expect->values);
}

static unsigned parse_sizes(struct testcase *t, const char *s, size_t out[3]) {
    unsigned dim = 0;
    do {
        char *end;
        if (dim == 3)
            bad(t->path, s, "more than three sizes");
        out[dim++] = strtoull(s + (*s == ','), &end, 0);
        if (end == s)
            bad(t->path, s, "size expected");
        s = end;
    } while (*s == ',');
    return dim;
}

static void add_shape(struct testcase *t, struct shape shape) {
    if (t->nshapes == sizeof t->shapes / sizeof *t->shapes)
        bad(t->path, "local", "too many local sizes");
    t->shapes[t->nshapes++] = shape;
}

/* Several sizes; `any` stands for small, odd, round and large ones. */
static void parse_local(struct testcase *t, const char *s) {
    static const char *const any[3] = {
        "1 2 3 7 16 64 250",
        "1,1 2,3 7,5 16,4 1,16 16,1 5,2",
        "1,1,1 2,3,4 5,1,3 8,4,2 1,1,7 3,3,3 1,9,1",
    };
    char word[64];
    for (s = skip_space(s); *s; s = skip_space(s)) {
        size_t n = strcspn(s, " \t");
        snprintf(word, sizeof word, "%.*s", (int)n, s);
        s += n;
        struct shape shape = {{1, 1, 1}, !strcmp(word, "none")};
        if (!strcmp(word, "any")) {
            parse_local(t, any[t->dim - 1]);
            continue;
        }
        if (!shape.none)
            parse_sizes(t, word, shape.size);
        add_shape(t, shape);
    }
}

static void parse_kernels(struct testcase *t, const char *s) {
    for (t->nkernels = 0; *(s = skip_space(s));) {
        if (t->nkernels == sizeof t->kernels / sizeof *t->kernels)
            bad(t->path, s, "too many kernels");
        size_t n = strcspn(s, " \t");
        snprintf(t->kernels[t->nkernels++], sizeof t->kernels[0], "%.*s", (int)n, s);
        s += n;
    }
}

static void add_print(struct testcase *t, const char *s, bool unordered) {
    size_t n = t->print ? strlen(t->print) : 0;
    t->print = realloc(t->print, n + strlen(s) + 2);
    sprintf(t->print + n, "%s\n", s);
    t->print_unordered |= unordered;
}

static void parse_line(struct testcase *t, const char *key, const char *value, const char **local) {
    if (!strcmp(key, "kernel"))
        parse_kernels(t, value);
    else if (!strcmp(key, "global"))
        t->dim = parse_sizes(t, value, t->global);
    else if (!strcmp(key, "offset"))
        parse_sizes(t, value, t->offset);
    else if (!strcmp(key, "local"))
        *local = value;
    else if (!strcmp(key, "invalid"))
        t->unvalidated = true;
    else if (!strcmp(key, "spirv"))
        snprintf(t->no_spirv, sizeof t->no_spirv, "%s", value);
    else if (!strcmp(key, "options"))
        snprintf(t->options, sizeof t->options, "%s", value);
    else if (!strcmp(key, "arg"))
        parse_arg(t, value);
    else if (!strcmp(key, "expect"))
        parse_expect(t, value);
    else if (!strcmp(key, "reference"))
        snprintf(t->reference, sizeof t->reference, "%s", value);
    else if (!strcmp(key, "print") || !strcmp(key, "print-unordered"))
        add_print(t, value, key[5] == '-');
    else if (!strcmp(key, "build-error"))
        snprintf(t->build_error, sizeof t->build_error, "%s", value);
    else if (!strcmp(key, "needs"))
        snprintf(t->needs, sizeof t->needs, "%s", value);
    else if (!strcmp(key, "set"))
        snprintf(t->set, sizeof t->set, "%s", value);
    else if (!strcmp(key, "finds"))
        snprintf(t->finds, sizeof t->finds, "%s", value);
    else if (!strcmp(key, "races"))
        t->races = true;
    else if (!strcmp(key, "illegal") && !strcmp(value, "finishes"))
        t->illegal = true;
    else
        bad(t->path, key, "unknown key");
}

struct testcase *testcase_read(const char *path) {
    struct testcase *t = calloc(1, sizeof *t);
    *t = (struct testcase){.path = path,
                           .source = read_file(path),
                           .options = "-cl-std=CL3.0",
                           .kernels = {"k"},
                           .nkernels = 1,
                           .dim = 1,
                           .global = {1, 1, 1}};
    const char *local = "any", *dot = strrchr(path, '.');
    t->is_assembly = dot && !strcmp(dot, ".spvasm");
    const char *comment = t->is_assembly ? ";" : "//";
    size_t skipped = strlen(comment);
    for (char *line = strdup(t->source), *next; line && !strncmp(line, comment, skipped); line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        char *key = line + skipped + strspn(line + skipped, " ");
        size_t n = strspn(key, "abcdefghijklmnopqrstuvwxyz-");
        if (!n || key[n] != ':')
            continue;
        key[n] = 0;
        parse_line(t, key, key + n + 1 + (key[n + 1] == ' '), &local);
    }
    parse_local(t, local);
    if (!t->nexpects && !*t->reference && !t->print && !*t->build_error && !*t->finds && !t->illegal)
        bad(path, "", "the case expects nothing");
    return t;
}
