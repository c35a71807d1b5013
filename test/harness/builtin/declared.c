/* declared.c: the declarations of built-in functions, from clang's header with the extensions and features that the
 * device advertises: what a program sees. In: the version of OpenCL C. Out: names, types, address spaces. */
#define CL_TARGET_OPENCL_VERSION 300
#include "builtin.h"

#include <CL/cl.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const type_names[] = {"char",  "uchar", "short",  "ushort", "int",  "uint", "long",
                                  "ulong", "float", "double", "half",   "void", "?"};
const unsigned type_sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 2, 0, 0};

/* clang's command for the preprocessed header. */
static void make_command(const char *standard, char *text, size_t size) {
    cl_platform_id platform;
    cl_device_id device;
    char extensions[4096] = "";
    cl_name_version features[64];
    size_t bytes = 0, n;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ||
        clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL) ||
        clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof features, features, &bytes)) {
        fprintf(stderr, "no device\n");
        exit(1);
    }
    n = (size_t)snprintf(
        text, size,
        "echo '#include <opencl-c.h>' | clang-22 -cc1 -triple nvptx64 -x cl -E -P -cl-std=%s "
        "-finclude-default-header -D__OPENCL_VERSION__=300 -cl-ext=-all",
        standard);
    for (char *s = strtok(extensions, " "); s; s = strtok(NULL, " ")) {
        n += (size_t)snprintf(text + n, size - n, ",+%s", s);
    }
    for (size_t i = 0; i < bytes / sizeof *features; i++) {
        n += (size_t)snprintf(text + n, size - n, ",+%s", features[i].name);
    }
    snprintf(text + n, size - n, " -");
}

static char *output_of(const char *command) {
    FILE *pipe = popen(command, "r");
    char *text = NULL;
    size_t size = 0, n;
    do {
        text = realloc(text, size + 65537);
        n = text && pipe ? fread(text + size, 1, 65536, pipe) : 0;
        size += n;
    } while (n);
    if (!pipe || pclose(pipe) || !text) {
        fprintf(stderr, "failed: %s\n", command);
        exit(1);
    }
    text[size] = 0;
    return text;
}

/* Attributes become spaces. */
static void blank_attributes(char *text) {
    for (char *s = text; (s = strstr(s, "__attribute__"));) {
        int depth = 0;
        for (bool opened = false; *s && (!opened || depth); *s++ = ' ') {
            depth += *s == '(' ? 1 : *s == ')' ? -1 : 0;
            opened |= *s == '(';
        }
    }
}

static bool is_word(const char *s, size_t n, const char *word) {
    return strlen(word) == n && !strncmp(s, word, n);
}

static bool read_type(const char *s, size_t n, struct param *p) {
    static const struct {
        const char *name;
        enum type type;
    } others[] = {{"size_t", ULONG},   {"uintptr_t", ULONG}, {"intptr_t", LONG},
                  {"ptrdiff_t", LONG}, {"flag", INT},        {"bool", INT}};
    p->atomic = !strncmp(s, "atomic_", 7);
    s += p->atomic ? 7 : 0;
    n -= p->atomic ? 7 : 0;
    size_t stem = n;
    while (stem && isdigit((unsigned char)s[stem - 1])) {
        stem--;
    }
    for (int t = 0; t < OTHER; t++) {
        if (is_word(s, stem, type_names[t])) {
            p->type = (enum type)t;
            p->width = stem < n ? (unsigned)atoi(s + stem) : 1;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (is_word(s, n, others[i].name)) {
            p->type = others[i].type;
            return true;
        }
    }
    return false;
}

static struct param read_param(const char *s, const char *end) {
    struct param p = {.type = OTHER, .width = 1};
    bool known = false;
    while (s < end) {
        size_t n = 0;
        while (s + n < end && (isalnum((unsigned char)s[n]) || s[n] == '_')) {
            n++;
        }
        p.pointer |= *s == '*';
        if (is_word(s, n, "__global") || is_word(s, n, "global")) {
            p.space = GLOBAL;
        } else if (is_word(s, n, "__local") || is_word(s, n, "local")) {
            p.space = LOCAL;
        } else if (is_word(s, n, "__constant")) {
            p.space = CONSTANT;
        } else if (n && !known) {
            known = read_type(s, n, &p);
        }
        s += n ? n : 1;
    }
    return p;
}

/* One declaration; false: something else. */
static bool read_declaration(const char *s, const char *end, struct declared *d) {
    const char *open = memchr(s, '(', (size_t)(end - s)), *name = open;
    if (!open || end[-1] != ')' || memchr(s, '{', (size_t)(end - s))) {
        return false;
    }
    while (name > s && name[-1] == ' ') {
        name--;
    }
    const char *after = name;
    while (name > s && (isalnum((unsigned char)name[-1]) || name[-1] == '_')) {
        name--;
    }
    *d = (struct declared){0};
    snprintf(d->name, sizeof d->name, "%.*s", (int)(after - name), name);
    d->result = read_param(s, name);
    char *to = d->text;
    for (const char *from = s; from < end && to < d->text + sizeof d->text - 1; from++) {
        if (*from != '\n' && (*from != ' ' || (from > s && from[1] != ' ' && from[1] != '('))) {
            *to++ = *from;
        }
    }
    for (const char *at = open + 1; at < end - 1;) {
        const char *comma = memchr(at, ',', (size_t)(end - 1 - at)), *stop = comma ? comma : end - 1;
        d->params[d->nparams] = read_param(at, stop);
        d->nparams += !(d->params[d->nparams].type == VOID && !d->params[d->nparams].pointer);
        at = stop + 1;
    }
    return *d->name;
}

/* What cl_khr_work_group_uniform_arithmetic declares, which clang's header doesn't have. */
static void add_uniform_arithmetic(FILE *f) {
    static const char *const ways[] = {"reduce", "scan_inclusive", "scan_exclusive"};
    static const char *const types[] = {"int", "uint", "long", "ulong", "float", "double", "half"};
    static const char *const operations[] = {"mul", "and", "or", "xor"};
    for (int way = 0; way < 3; way++) {
        for (int t = 0; t < 7; t++) {
            for (int i = 0; i < (t < 4 ? 4 : 1); i++) {
                fprintf(f, "%s work_group_%s_%s(%s);\n", types[t], ways[way], operations[i], types[t]);
            }
        }
        for (int i = 1; i < 4; i++) {
            fprintf(f, "int work_group_%s_logical_%s(int);\n", ways[way], operations[i]);
        }
    }
}

/* as_TYPE, which are operators, between types of one size. */
static void add_reinterpretations(FILE *f) {
    static const char *const widths[] = {"", "2", "3", "4", "8", "16"};
    for (unsigned i = 0; i < VOID * 6; i++) {
        for (unsigned j = 0; j < VOID * 6; j++) {
            const char *n = widths[i % 6], *m = widths[j % 6];
            unsigned from = type_sizes[i / 6] * (unsigned)(*n ? atoi(n) : 1);
            unsigned to = type_sizes[j / 6] * (unsigned)(*m ? atoi(m) : 1);
            if (from == to && (i % 6 == 2) == (j % 6 == 2)) {
                fprintf(f, "%s%s as_%s%s(%s%s);\n", type_names[j / 6], m, type_names[j / 6], m,
                        type_names[i / 6], n);
            }
        }
    }
}

static char *declarations(const char *standard) {
    char command[8192], *text = NULL;
    size_t size;
    make_command(standard, command, sizeof command);
    char *header = output_of(command);
    FILE *f = open_memstream(&text, &size);
    fputs(header, f);
    if (strstr(command, "cl_khr_work_group_uniform_arithmetic") && strcmp(standard, "CL1.2") > 0) {
        add_uniform_arithmetic(f);
    }
    add_reinterpretations(f);
    fclose(f);
    free(header);
    return text;
}

size_t declared_read(const char *standard, const struct declared **list) {
    char *text = declarations(standard);
    blank_attributes(text);
    struct declared *all = NULL;
    size_t n = 0;
    for (char *s = text, *end; (end = strchr(s, ';')); s = end + 1) {
        while (isspace((unsigned char)*s)) {
            s++;
        }
        char *last = end;
        while (last > s && isspace((unsigned char)last[-1])) {
            last--;
        }
        if (!(n & (n - 1))) {
            all = realloc(all, (n ? 2 * n : 1) * sizeof *all);
        }
        n += last > s && strncmp(s, "typedef", 7) && read_declaration(s, last, &all[n]);
    }
    free(text);
    *list = all;
    return n;
}
