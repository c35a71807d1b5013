/* where.c: names the variable and the element that an address lies in.
 *
 * In: an address, and the site of an access. Out: the name as the program would write it, "tile[3][4]", "p[5].velocity.x".
 * Types of variables and of what arguments point to come with the kernel object (kc/frontend/types.c), as a text:
 *   TYPE = SIZE | SIZE '[' COUNT ']' TYPE | SIZE '<' COUNT '>' TYPE | SIZE '{' (OFFSET NAME '=' TYPE ';')* '}'
 * in bytes: a scalar or pointer; an array; a vector; a struct, whose members have an empty name where they are bases or
 * anonymous. Before a variable's there may be '*' TIMES ':', of an argument's '&' TIMES ':': the kernel has each of its elements in a
 * place of TIMES as many bytes (kc/lower/whole_words.c). Without a type, elements are taken to be of the access's size. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Skips a type. */
static const char *type_end(const char *t) {
    for (;;) {
        t += strspn(t, "0123456789");
        if (*t == '[' || *t == '<') {
            t += strcspn(t, "]>");
            t += *t != 0;
            continue; /* the element's type follows */
        }
        if (*t != '{')
            return t;
        for (t++; *t && *t != '}'; t += *t == ';') {
            t += strcspn(t, "=");
            t = *t ? type_end(t + 1) : t;
        }
        return t + (*t == '}');
    }
}

/* Appends the path to the byte `at` of a value of type `t`. */
static void path(struct buf *out, const char *t, uint64_t at) {
    for (char *end;;) {
        uint64_t count, size;
        strtoull(t, &end, 10);
        if (*end == '[' || *end == '<') {
            bool is_vector = *end == '<';
            count = strtoull(end + 1, &end, 10);
            t = end + (*end != 0);
            size = strtoull(t, NULL, 10);
            uint64_t n = size ? at / size : 0;
            at -= n * size;
            if (!is_vector)
                buf_printf(out, "[%llu]", (unsigned long long)n);
            else if (n < count)
                buf_printf(out, count <= 4 ? ".%c" : ".s%c",
                           (count <= 4 ? "xyzw" : "0123456789abcdef")[n & 15]);
            continue;
        }
        if (*end != '{')
            return;
        const char *member = NULL, *name = NULL;
        uint64_t start = 0;
        for (t = end + 1; *t && *t != '}'; t += *t == ';') {
            uint64_t offset = strtoull(t, &end, 10);
            const char *type = end + strcspn(end, "=");
            if (!*type)
                return;
            if (at >= offset && at - offset < strtoull(type + 1, NULL, 10)) {
                member = type + 1;
                name = end;
                start = offset;
            }
            t = type_end(type + 1);
        }
        if (!member)
            return; /* padding */
        if (*name != '=')
            buf_printf(out, ".%.*s", (int)strcspn(name, "="), name);
        at -= start;
        t = member;
    }
}

static void set_element(struct memory_name *m, const struct buf *text) {
    size_t n = text->failed ? 0 : text->size < sizeof m->element ? text->size : sizeof m->element - 1;
    if (n)
        memcpy(m->element, text->data, n);
    m->element[n] = 0;
}

uint64_t where_times(const struct weir_place *p, bool *is_argument, const char **type) {
    bool is_widened = *p->type == '*' || *p->type == '&';
    char *end = NULL;
    uint64_t times = is_widened ? strtoull(p->type + 1, &end, 10) : 1;
    *is_argument = *p->type == '&';
    *type = is_widened ? end + (*end == ':') : p->type;
    return times ? times : 1;
}

/* Of a variable: its type is all of it. */
static void name_variable(struct memory_name *m, const struct weir_place *p, int64_t offset,
                          const struct weir_site *site) {
    struct buf text = {0};
    bool is_argument;
    const char *type;
    uint64_t times = where_times(p, &is_argument, &type), all = p->bytes / times;
    int64_t bytes = (int64_t)((site ? site->bytes : 0) / times);
    const char *inner = type + strspn(type, "0123456789");
    offset /= (int64_t)times;
    *m = (struct memory_name){.space = check_space_names[p->space],
                              .is_argument = is_argument,
                              .variable = p->name,
                              .offset = offset};
    buf_printf(&text, "%s", p->name);
    if (!*type && bytes && (uint64_t)bytes < all && offset % bytes == 0) {
        buf_printf(&text, "[%lld]", (long long)(offset / bytes));
    } else if (offset >= 0 && (uint64_t)offset < all) {
        path(&text, type, (uint64_t)offset);
    } else if (*inner == '[') { /* beyond: counted in elements of the array */
        const char *element = inner + strcspn(inner, "]");
        element += *element != 0;
        int64_t size = strtoll(element, NULL, 10), n = size ? offset / size - (offset % size < 0) : 0;
        if (size) {
            buf_printf(&text, "[%lld]", (long long)n);
            path(&text, element, (uint64_t)(offset - n * size));
        }
    }
    set_element(m, &text);
    buf_free(&text);
}

/* Of what an argument points to: elements of its type, one after the other. */
static void name_argument(struct memory_name *m, const struct check_worker *c, unsigned argument,
                          const char *space, int64_t offset, const struct weir_site *site) {
    struct buf text = {0};
    const struct weir_kernel *k = c->kernel;
    const char *type = argument < k->nargument_types ? k->argument_types[argument] : "";
    int64_t size = strtoll(type, NULL, 10), bytes = site ? site->bytes : 0;
    *m = (struct memory_name){
        .space = space, .is_argument = true, .variable = c->launch->arguments[argument], .offset = offset};
    int64_t unit = size ? size : bytes, n = unit ? offset / unit - (offset % unit < 0) : 0;
    buf_printf(&text, "%s", m->variable);
    if (size || (bytes && offset % bytes == 0)) {
        buf_printf(&text, "[%lld]", (long long)n);
        if (size)
            path(&text, type, (uint64_t)(offset - n * size));
    }
    set_element(m, &text);
    buf_free(&text);
}

/* Of an argument's memory: of an image the texel's coordinates. */
static void name_memory(struct memory_name *m, const struct check_worker *c, const struct check_memory *of,
                        uint64_t address, const struct weir_site *site) {
    uint64_t at = address - of->start, row = of->row, slice = of->slice;
    struct buf text = {0};
    name_argument(m, c, of->argument - 1, of->texel ? "image" : "global", (int64_t)at, site);
    if (!of->texel)
        return;
    uint64_t z = slice ? at / slice : 0, in_slice = at - z * slice, y = row ? in_slice / row : 0;
    buf_printf(&text, "%s(%llu", m->variable, (unsigned long long)((in_slice - y * row) / of->texel));
    if (row)
        buf_printf(&text, ", %llu", (unsigned long long)y);
    if (slice)
        buf_printf(&text, ", %llu", (unsigned long long)z);
    buf_printf(&text, ")");
    set_element(m, &text);
    buf_free(&text);
}

/* What the site accesses, wherever the address is. */
static bool of_site(const struct check_worker *c, uint64_t address, const struct weir_site *site,
                    struct memory_name *m) {
    uint32_t n = site && site->object ? (site->object & ~WEIR_SITE_PLACE) - 1 : UINT32_MAX;
    const struct check_launch *l = c->launch;
    uint64_t local = (uint64_t)c->worker->local;
    if (n == UINT32_MAX)
        return false;
    if (site->object & WEIR_SITE_PLACE) {
        const struct weir_place *p = &c->kernel->places[n];
        name_variable(m, p, (int64_t)(address - local - p->offset), site);
        return true;
    }
    if (n < l->narguments && l->local_size[n]) {
        name_argument(m, c, n, "local", (int64_t)(address - local - l->local_offset[n]), site);
        return true;
    }
    for (size_t i = 0; i < l->nmemory; i++)
        if (l->memory[i].argument == n + 1) {
            name_memory(m, c, &l->memory[i], address, site);
            return true;
        }
    return false;
}

void where_find(const struct check_worker *c, uint64_t address, const struct weir_site *site,
                struct memory_name *m) {
    const struct check_launch *l = c->launch;
    uint64_t local = (uint64_t)c->worker->local, offset = address - local;
    *m = (struct memory_name){0};
    if (of_site(c, address, site, m))
        return;
    for (uint64_t i = 0; i < c->kernel->nplaces; i++) {
        const struct weir_place *p = &c->kernel->places[i];
        uint64_t base = p->space == WEIR_PLACE_PROGRAM ? (uint64_t)c->geometry->globals : local;
        if (base && address - base - p->offset < p->bytes) {
            name_variable(m, p, (int64_t)(address - base - p->offset), site);
            return;
        }
    }
    for (unsigned i = 0; i < l->narguments; i++)
        if (offset - l->local_offset[i] < l->local_size[i]) {
            name_argument(m, c, i, "local", (int64_t)(offset - l->local_offset[i]), site);
            return;
        }
    for (size_t i = 0; i < l->nmemory; i++)
        if (address - l->memory[i].start < l->memory[i].size && l->memory[i].argument) {
            name_memory(m, c, &l->memory[i], address, site);
            return;
        }
}
