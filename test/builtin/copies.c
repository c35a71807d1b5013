/* copies.c: copies by a work-group (OpenCL C 6.15.11) of all types, between global and local memory and back, prefetch, and
 * as_TYPE (6.4.4.2) between all types of one size. */
#include "builtin.h"

#include <stdio.h>
#include <string.h>

static bool is_strided(const struct call *c) {
    return strstr(c->declared->name, "strided");
}

static bool is_to_local(const struct call *c) {
    return c->declared->params[0].space == LOCAL;
}

/* Each group copies its vectors: all, or by a stride of 2. To local memory: then each work-item writes one to `to`, in
 * reverse order without a stride. From local memory: in which the group's are. */
static void emit(FILE *f, const struct call *c) {
    const struct declared *d = c->declared;
    char type[32];
    spelled(d->params[0], type);
    if (!strcmp(d->name, "prefetch")) {
        fprintf(f, "        prefetch((global const %s *)(in + %zu) + g, 1);\n", type, c->in[0]);
        return;
    }
    const char *stride = is_strided(c) ? "2, " : "";
    unsigned count = is_strided(c) ? GROUP / 2 : GROUP;
    fprintf(f, "        global const %s *from = (global const %s *)(in + %zu) + g - l;\n", type, type,
            c->in[1]);
    fprintf(f, "        global %s *to = (global %s *)(out + %zu) + g - l;\n", type, type, c->out[0]);
    fprintf(f, "        local %s *near = (local %s *)scratch;\n", type, type);
    fprintf(f, "        barrier(CLK_LOCAL_MEM_FENCE);\n");
    if (is_to_local(c)) {
        fprintf(f, "        event_t e = %s(near, from, %u, %s0);\n        wait_group_events(1, &e);\n",
                d->name, count, stride);
        fprintf(f,
                is_strided(c) ? "        if (l < %u) to[l] = near[l];\n"
                              : "        to[l] = near[%u - 1 - l];\n",
                count);
    } else {
        fprintf(f, "        near[l] = from[l];\n        barrier(CLK_LOCAL_MEM_FENCE);\n");
        fprintf(f, "        event_t e = %s(to, near, %u, %s0);\n        wait_group_events(1, &e);\n", d->name,
                count, stride);
    }
}

static bool check(const struct call *c, size_t place, char why[160]) {
    const struct param *p = &c->declared->params[0];
    unsigned size = type_sizes[p->type] * p->width,
             step = type_sizes[p->type] * (p->width == 3 ? 4 : p->width);
    size_t l = place % GROUP, group = place - l, from = place;
    if (!strcmp(c->declared->name, "prefetch")) {
        return true;
    }
    const char *got = (const char *)c->params[0] + place * step, *source = c->params[1];
    if (is_strided(c)) {
        bool is_copied = is_to_local(c) ? l < GROUP / 2 : l % 2 == 0;
        from = is_to_local(c) ? group + 2 * l : group + l / 2;
        if (!is_copied) {
            return *got == '\xa5';
        }
    } else if (is_to_local(c)) {
        from = group + GROUP - 1 - l;
    }
    snprintf(why, 160, "element %zu", from);
    return !memcmp(got, source + from * step, size);
}

/* With values for the padding of vectors of three. */
static void values(const struct declared *d, unsigned index, enum type t, void *array) {
    for (size_t p = 0; p < 2 * PLACES; p++) {
        uint64_t x = random_bits();
        memcpy((char *)array + p * type_sizes[t], &x, type_sizes[t]);
    }
}

/* ---- as_TYPE: the work-item's bytes ---- */

static bool check_same_bytes(const struct call *c, size_t place, char why[160]) {
    const struct param *from = &c->declared->params[0], *to = &c->declared->result;
    unsigned size = type_sizes[to->type], first = (unsigned)(place / c->items) * size;
    const char *got = (const char *)c->result + place * size;
    bool same = true;
    for (unsigned i = 0; i < size; i++) {
        unsigned element = (first + i) / type_sizes[from->type], byte = (first + i) % type_sizes[from->type];
        size_t at = (place % c->items + element * c->items) * type_sizes[from->type] + byte;
        same &= got[i] == ((const char *)c->params[0])[at];
    }
    return same;
}

static const struct family families[] = {
    {"as_*", values, check_same_bytes, NULL, 5},
    {"async_work_group_*", values, check, NULL, 60, 2, emit},
    {"prefetch", values, check, NULL, 10, 1, emit},
};

int main(int argc, char **argv) {
    return builtin_main(argc, argv, families, 3, "", NULL);
}
