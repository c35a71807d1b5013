/* own.c: buffers that a launch may access without a race, whatever its kernel computes.
 *
 * In: a kernel's sites, with the forms of their addresses (abi.h: struct weir_form), and a launch's sizes and arguments. Out: the
 * arguments whose memory nothing in the launch writes, or of which each work-item accesses bytes that no other one does; what
 * accesses them needs no cells. Only where no command can be unordered with the launch: that would have to be told of it.
 *
 * The sites that access a buffer may differ by constants and loops, as those of a struct's members do. What they have in common is
 * where a work-item's bytes begin; what they don't is which of them each accesses:
 *
 *     p[3 * i] = x;        12 * i          [0, 4)
 *     p[3 * i + 2] = z;    12 * i + 8      [8, 12): work-items keep apart if 12 * i does with 12 bytes each
 *
 * Work-items keep apart if the counters in common tell all of them apart and each counter's factor is no smaller than all that
 * smaller ones reach, as digits of a number do. Indices are computed in 32 bits: the whole must stay below 2^31. */
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

/* What all sites have in common, and the bytes behind it that some of them access. */
struct own {
    struct weir_form form;
    uint64_t least, most;
};

/* Whether the form has the term of another one; then it is taken out of `left`. */
static bool take_term(const struct weir_form *f, uint64_t *left, const struct weir_form *of,
                      const struct weir_form_term *t) {
    for (uint64_t i = 0; i < f->nterms; i++) {
        const struct weir_form_term *u = &f->terms[i];
        bool same = u->counter == t->counter && u->times == t->times && u->n == t->n && !u->by == !t->by;
        if (same && *left >> i & 1 && (!t->by || f->strides[u->by - 1] == of->strides[t->by - 1])) {
            *left &= ~(UINT64_C(1) << i);
            return true;
        }
    }
    return false;
}

static void keep_common(struct weir_form *common, const struct weir_form *f) {
    uint64_t left = UINT64_MAX, n = 0;
    for (uint64_t i = 0; i < common->nterms; i++)
        if (take_term(f, &left, common, &common->terms[i]))
            common->terms[n++] = common->terms[i];
    common->nterms = n;
}

/* Adds the bytes that the site accesses behind what is common; false: they may be anywhere, or the index may wrap. */
static bool add_site(struct own *o, const struct weir_form *f, uint64_t bytes, const struct weir_launch *g) {
    uint64_t left = UINT64_MAX, least = 0, most = bytes, whole = bytes, first;
    for (uint64_t i = 0; i < o->form.nterms; i++)
        take_term(f, &left, &o->form, &o->form.terms[i]);
    for (uint64_t i = 0; i < f->nterms; i++) {
        uint64_t times = factor_of(f, &f->terms[i], g), values = count_of(&f->terms[i], g, &first);
        if (times > INT32_MAX || values + first > INT32_MAX)
            return false;
        whole += times * (first + values - 1);
        if (whole > INT32_MAX)
            return false;
        if (!(left >> i & 1))
            continue;
        if (f->terms[i].counter != WEIR_COUNTER_VALUES)
            return false;
        least += times * first;
        most += times * (first + values - 1);
    }
    o->least = least < o->least ? least : o->least;
    o->most = most > o->most ? most : o->most;
    return true;
}

static bool keeps_apart(const struct own *o, const struct weir_launch *g) {
    struct digit digits[WEIR_FORM_TERMS];
    uint64_t reach = o->most - o->least, first;
    unsigned n = 0;
    for (uint64_t i = 0; i < o->form.nterms; i++) {
        uint64_t values = count_of(&o->form.terms[i], g, &first);
        if (values > 1)
            digits[n++] = (struct digit){factor_of(&o->form, &o->form.terms[i], g), values};
    }
    qsort(digits, n, sizeof *digits, by_times);
    for (unsigned i = 0; i < n; i++) {
        if (digits[i].times < reach)
            return false;
        reach += digits[i].times * (digits[i].n - 1);
    }
    return tells_apart(&o->form, g);
}

/* ---- arguments ---- */

/* The argument whose memory, or other memory in its place, the site may access; false: it is local memory. */
static bool is_global(const struct check_worker *c, const struct weir_site *s,
                      const struct check_memory **m) {
    const struct check_launch *l = c->launch;
    uint32_t n = s->object - 1;
    if (s->what > WEIR_SITE_ATOMIC || s->object & WEIR_SITE_PLACE || s->in_local)
        return false;
    if (s->object && n < l->narguments && l->local_size[n])
        return false;
    *m = s->object ? check_memory_of(l, n) : NULL;
    return true;
}

static bool writes(const struct weir_site *s) {
    return s->what == WEIR_SITE_WRITE || s->what == WEIR_SITE_ATOMIC;
}

/* The next site from `i` on that may access the memory; NULL: there is none. */
static const struct weir_site *next_site(const struct check_worker *c, const struct check_memory *m,
                                         uint64_t *i) {
    const struct check_memory *to;
    while (++*i < c->kernel->nsites) {
        const struct weir_site *s = &c->kernel->sites[*i];
        if (is_global(c, s, &to) && !(to && to->is_exact && to->whole != m->whole))
            return s;
    }
    return NULL;
}

/* Whether nothing in the launch writes the memory, or all that accesses it does by forms by which work-items keep apart. */
static bool is_own(const struct check_worker *c, uint32_t argument, const struct check_memory *m) {
    const struct weir_site *s;
    struct own own = {.least = UINT64_MAX};
    bool written = false, known = true, is_first = true;
    for (uint64_t i = 0; (s = next_site(c, m, &i)) && (known || !written); is_first = false) {
        written |= writes(s);
        known &= s->object == argument + 1 && s->form;
        if (known && is_first)
            own.form = c->kernel->forms[s->form - 1];
        else if (known)
            keep_common(&own.form, &c->kernel->forms[s->form - 1]);
    }
    for (uint64_t i = 0; written && known && (s = next_site(c, m, &i));)
        known = add_site(&own, &c->kernel->forms[s->form - 1], s->bytes, c->geometry);
    return !written || (known && keeps_apart(&own, c->geometry));
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
