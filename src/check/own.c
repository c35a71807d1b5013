/* own.c: buffers that a launch may access without a race, whatever its kernel computes.
 *
 * In: a kernel's sites, with the forms of their addresses (abi.h: struct weir_form), and a launch's sizes and arguments. Out: the
 * arguments whose memory nothing in the launch writes, or of which each work-item accesses bytes that no other one does; what
 * accesses them needs no cells. Only where no command can be unordered with the launch: that would have to be told of it.
 *
 * Work-items keep apart if the form's counters tell all of them apart and each counter's factor is larger than all that smaller
 * ones reach, as digits of a number do. Indices are computed in 32 bits: the whole must stay below 2^31. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

struct digit {
    uint64_t times, n;
};

/* The factor of a term; UINT64_MAX: it isn't known, or negative. */
static uint64_t factor_of(const struct weir_form *f, const struct weir_form_term *t,
                          const struct weir_launch *g) {
    if (!t->by)
        return t->times;
    uint64_t stride = f->strides[t->by - 1], offset = stride & UINT32_MAX, bytes = stride >> 32;
    const char *at = (const char *)g->args + offset;
    int64_t value = -1;
    int32_t half;
    if (bytes == sizeof half) {
        memcpy(&half, at, sizeof half);
        value = half;
    } else if (bytes == sizeof value) {
        memcpy(&value, at, sizeof value);
    }
    return value < 0 || value > INT32_MAX || t->times > INT32_MAX ? UINT64_MAX : t->times * (uint64_t)value;
}

/* Values of a term's counter, and the first. */
static uint64_t count_of(const struct weir_form_term *t, const struct weir_launch *g, uint64_t *first) {
    *first = 0;
    if (t->counter >= WEIR_COUNTER_GLOBAL) {
        *first = g->global_offset[t->counter - WEIR_COUNTER_GLOBAL];
        return g->global_size[t->counter - WEIR_COUNTER_GLOBAL];
    }
    if (t->counter >= WEIR_COUNTER_GROUP)
        return g->num_groups[t->counter - WEIR_COUNTER_GROUP];
    if (t->counter)
        return g->local_size[t->counter - WEIR_COUNTER_LOCAL];
    *first = !t->n; /* a constant */
    return t->n ? t->n : 1;
}

/* Whether the terms' counters tell all work-items apart, and each comes once. */
static bool tells_apart(const struct weir_form *f, const struct weir_launch *g) {
    uint32_t seen = 0;
    for (uint64_t i = 0; i < f->nterms; i++) {
        uint32_t bit = f->terms[i].counter ? 1u << f->terms[i].counter : 0;
        if (seen & bit)
            return false;
        seen |= bit;
    }
    for (unsigned d = 0; d < 3; d++) {
        bool local = seen >> (WEIR_COUNTER_LOCAL + d) & 1, group = seen >> (WEIR_COUNTER_GROUP + d) & 1;
        bool global = seen >> (WEIR_COUNTER_GLOBAL + d) & 1;
        if (global ? local || group : (!local && g->local_size[d] > 1) || (!group && g->num_groups[d] > 1))
            return false;
    }
    return true;
}

static int by_times(const void *a, const void *b) {
    const struct digit *x = a, *y = b;
    return (x->times > y->times) - (x->times < y->times);
}

static bool keeps_apart(const struct weir_form *f, uint64_t bytes, const struct weir_launch *g) {
    struct digit digits[WEIR_FORM_TERMS];
    uint64_t most = 0, reach = bytes, first;
    unsigned n = 0;
    for (uint64_t i = 0; i < f->nterms; i++) {
        uint64_t times = factor_of(f, &f->terms[i], g), values = count_of(&f->terms[i], g, &first);
        if (times > INT32_MAX || values + first > INT32_MAX)
            return false;
        most += times * (first + values - 1);
        if (most > INT32_MAX)
            return false;
        if (values > 1)
            digits[n++] = (struct digit){times, values};
    }
    qsort(digits, n, sizeof *digits, by_times);
    for (unsigned i = 0; i < n; i++) {
        if (digits[i].times < reach)
            return false;
        reach += digits[i].times * (digits[i].n - 1);
    }
    return tells_apart(f, g);
}

/* ---- arguments ---- */

/* The argument whose memory, or other memory in its place, the site may access; false: it is local memory. */
static bool is_global(const struct check_worker *c, const struct weir_site *s,
                      const struct check_memory **m) {
    const struct check_launch *l = c->launch;
    uint32_t n = s->object - 1;
    if (s->what > WEIR_SITE_ATOMIC || s->object & WEIR_SITE_PLACE)
        return false;
    if (s->object && n < l->narguments && l->local_size[n])
        return false;
    *m = s->object ? check_memory_of(l, n) : NULL;
    return true;
}

static bool writes(const struct weir_site *s) {
    return s->what == WEIR_SITE_WRITE || s->what == WEIR_SITE_ATOMIC;
}

/* Whether nothing in the launch writes the memory, or all of its sites have one form by which work-items keep apart. */
static bool is_own(const struct check_worker *c, uint32_t argument, const struct check_memory *m) {
    const struct weir_site *one = NULL;
    bool written = false, alike = true;
    for (uint64_t i = 1; i < c->kernel->nsites; i++) {
        const struct weir_site *s = &c->kernel->sites[i];
        const struct check_memory *to;
        if (!is_global(c, s, &to) || (to && to->is_exact && to->whole != m->whole))
            continue;
        one = one ? one : s;
        written |= writes(s);
        alike &= s->object == argument + 1 && s->form && s->form == one->form && s->bytes == one->bytes;
        if (written && !alike)
            return false;
    }
    return !written || keeps_apart(&c->kernel->forms[one->form - 1], one->bytes, c->geometry);
}

void own_prepare(struct check_worker *c) {
    const struct check_launch *l = c->launch;
    if (c->nown < l->narguments) {
        free(c->own);
        c->own = malloc(l->narguments);
        c->nown = c->own ? l->narguments : 0;
    }
    for (uint32_t n = 0; n < c->nown && n < l->narguments; n++) {
        const struct check_memory *m = check_memory_of(l, n);
        c->own[n] = m && m->is_exact && c->kernel->nsites < WEIR_SITES_MOST && l->is_alone &&
                    order_is_total() && is_own(c, n, m);
    }
}

bool own_argument(const struct check_worker *c, uint32_t argument) {
    return argument < c->nown && argument < c->launch->narguments && c->own[argument];
}
