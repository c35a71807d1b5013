/* make.c: random kernels of races.h. */
#include "races.h"
#include "session.h"

static struct block { /* of what a kernel consists of */
    struct block *next;
    max_align_t content[];
} *blocks;

static void *get(size_t bytes) {
    struct block *b = calloc(1, sizeof *b + bytes);
    if (!b)
        abort();
    b->next = blocks;
    blocks = b;
    return b->content;
}

void races_forget(void) {
    for (struct block *next; blocks; blocks = next) {
        next = blocks->next;
        free(blocks);
    }
}

static uint32_t one_of(const uint32_t *list, size_t n) {
    return list[below((uint32_t)n)];
}
#define ONE_OF(...) one_of((const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__})))

/* ---- terms ---- */

static const struct term *number(uint32_t n) {
    struct term *e = get(sizeof *e);
    e->n = n;
    return e;
}

static const struct term *name(uint32_t n) {
    struct term *e = get(sizeof *e);
    e->n = n;
    e->is_name = true;
    return e;
}

static const struct term *of(const struct term *a, const char *op, const struct term *b) {
    struct term *e = get(sizeof *e);
    snprintf(e->op, sizeof e->op, "%s", op);
    e->a = a;
    e->b = b;
    return e;
}

static const struct term *of_number(const struct term *a, const char *op, uint32_t n) {
    return of(a, op, number(n));
}

struct maker {
    struct races *r;
    unsigned items; /* of a group */
    unsigned counters, numbers, depth;
    uint32_t inner; /* the name that is the innermost counter, if depth */
};

static const struct term *any_name(const struct maker *m) {
    if (m->depth && one_in(3))
        return name(m->inner);
    if (m->r->local[1] > 1 && one_in(3))
        return name(ONE_OF(N_X, N_Y));
    return name(one_in(16) ? N_ARG : N_L);
}

/* What may be added to a place: uniform numbers as a rule. */
static const struct term *shift(const struct maker *m) {
    switch (below(m->depth ? 6 : 4)) {
    case 0:
        return number(m->items);
    case 1:
        return name(one_in(2) ? N_ARG : N_GROUP);
    case 2:
    case 3:
        return number(ONE_OF(1, 1, 2, 3, 4, 8, 16));
    default:
        return name(m->inner);
    }
}

static const struct term *place(const struct maker *m) {
    const struct term *v = any_name(m), *w = name(N_L);
    uint32_t d = ONE_OF(2, 4, 8), k = ONE_OF(2, 2, 3, 4);
    switch (below(21)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return one_in(3) ? v : w;
    case 4:
    case 5:
    case 6:
        return of(w, "+", shift(m));
    case 7:
        return of_number(of_number(v, "*", k), "+", below(4));
    case 8:
        return of(number(ONE_OF(m->items - 1, m->items - 1, m->items, 2 * m->items - 1)), "-", v);
    case 9:
        return of(w, "-", shift(m));
    case 10: /* digits that are moved */
        return of(of_number(of_number(v, "/", d), "*", ONE_OF(d, 2 * d, d + 1)), "+", of_number(v, "%", d));
    case 11:
        return of(of(of_number(v, "*", 2), "-", of_number(v, "&", d - 1)), "+", number(one_in(2) ? d : 0));
    case 12:
        return of_number(of_number(v, "%", d), "+", ONE_OF(0, d, 8, 16));
    case 13:
        return of_number(v, "/", d);
    case 14: /* who differs in one bit */
        return of(w, "^", m->depth && one_in(2) ? name(m->inner) : number(ONE_OF(1, d, d, d + 1)));
    case 15:
        return of_number(of_number(w, one_in(2) ? "|" : "&", one_in(2) ? d : ~d), "+", one_in(2) ? d : 0);
    case 16:
        return of(of_number(name(N_X), "*", m->r->local[1]), "+", name(N_Y));
    case 17:
        return of(of_number(v, "*", m->r->local[0]), "+", name(N_X));
    case 18:
        return number(below(m->items));
    case 19: /* a place that two share, or is left out */
        return of(w, one_in(2) ? "-" : "+", of_number(w, one_in(2) ? ">" : "==", below(m->items)));
    default:
        return of(of_number(m->depth ? name(m->inner) : name(N_GROUP), "*", ONE_OF(m->items, m->items, 2, 8)),
                  "+", w);
    }
}

static const struct term *compare(const struct maker *m) {
    static const char *const orders[] = {"<", "<", "<=", ">", ">=", "==", "!="};
    const struct term *v = any_name(m);
    const char *op = orders[below(COUNT(orders))];
    uint32_t d = ONE_OF(2, 4, 8), n = ONE_OF(1, 2, 4, 7, 8, 9, m->items / 2, m->items - 1, m->items);
    switch (below(12)) {
    case 0:
    case 1:
    case 2:
        return of_number(v, op, n);
    case 3:
        return of_number(name(N_L), one_in(2) ? "==" : "!=", ONE_OF(0, 0, 1, m->items - 1));
    case 4:
        return of_number(of_number(v, "%", d), op, below(d));
    case 5:
        return of_number(of_number(v, "/", d), op, below(m->items / d + 1));
    case 6:
        return of_number(of(v, "+", shift(m)), op, n);
    case 7:
        return of_number(of(v, "-", shift(m)), op, n);
    case 8:
        return of_number(of_number(name(N_L), "&", d), one_in(2) ? "==" : "!=", 0);
    case 9:
        return of(name(N_L), op, name(m->depth ? m->inner : N_ARG));
    case 10:
        return of_number(name(N_L), op, ONE_OF(0xffffffffu, 0x80000000u, 0x7fffffffu));
    default:
        return of(of(name(N_L), "^", number(d)), op, name(N_L));
    }
}

static const struct term *condition(const struct maker *m) {
    const struct term *c = compare(m);
    uint32_t k = below(10);
    return k < 6 ? c : of(c, k < 9 ? "&&" : "||", compare(m));
}

/* ---- steps ---- */

static struct step *steps(struct maker *m, unsigned n, bool by_all);

static struct step *touch(struct maker *m, enum step_kind kind) {
    struct step *s = get(sizeof *s);
    *s = (struct step){.kind = kind, .tile = one_in(5) ? IN_GLOBAL : IN_LOCAL, .at = place(m), .width = 1};
    if (m->r->size[IN_OTHER] && one_in(3))
        s->tile = IN_OTHER;
    if ((kind == S_STORE || kind == S_LOAD) && m->r->members == 1 && one_in(6))
        s->width = 2 + below(3);
    if (s->width > 1 && one_in(2)) /* side by side */
        s->at = of_number(one_in(3) ? s->at : name(N_L), "*", s->width);
    s->n = kind == S_LOAD ? 0 : ++m->numbers;
    s->from = one_in(3) ? s->at : place(m);
    s->member = below(m->r->members);
    s->from_member = below(m->r->members);
    return s;
}

static struct step *barrier(const struct maker *m) {
    struct step *s = get(sizeof *s);
    s->kind = S_BARRIER;
    s->is_of_subgroup = m->r->subgroup && one_in(3);
    s->n = one_in(6) ? 1 + below(2) : FENCE_LOCAL | FENCE_GLOBAL;
    return s;
}

static struct step *choice(struct maker *m) {
    struct step *s = get(sizeof *s);
    *s = (struct step){.kind = S_IF, .at = condition(m), .is_bool = one_in(3), .n = ++m->numbers};
    s->kid[0] = steps(m, 1 + below(2), false);
    s->kid[1] = one_in(3) ? steps(m, 1, false) : NULL;
    return s;
}

/* A loop that counts, doubles or halves. `by_all`: all of the group go around alike, and there is a barrier in it, as a rule. */
static struct step *loop(struct maker *m, bool by_all) {
    struct step *s = get(sizeof *s);
    struct maker in = *m;
    uint32_t k = below(by_all ? 10 : 4), end = ONE_OF(2, 3, 4);
    const struct term *i = name(N_COUNTER + in.counters);
    *s =
        (struct step){.kind = S_FOR, .n = in.counters++, .from = number(0), .while_ = of_number(i, "<", end)};
    s->then = of_number(i, "+", 1);
    if (k < 3 && by_all) {
        s->from = number(1);
        s->while_ = of_number(i, "<", m->items);
        s->then = of_number(i, "*", 2);
    } else if (k < 6 && by_all) {
        s->from = number(m->items / 2);
        s->while_ = of_number(i, ">", 0);
        s->then = of_number(i, "/", 2);
    } else if (k == 3) { /* all places in turn, together or each from its own on */
        s->from = by_all ? number(1) : name(N_L);
        s->while_ = of_number(i, "<", m->r->size[IN_LOCAL]);
        s->then = of_number(i, "+", by_all ? m->items : ONE_OF(m->items, m->items, 8));
    }
    in.depth++;
    in.inner = N_COUNTER + s->n;
    s->kid[0] = steps(&in, 1 + below(3), by_all);
    m->counters = in.counters;
    m->numbers = in.numbers;
    uint32_t where = below(3);
    if (by_all && where < 2) {
        struct step *b = barrier(m), **to = &s->kid[0];
        while (where && *to)
            to = &(*to)->next;
        b->next = *to;
        *to = b;
    }
    return s;
}

static struct step *steps(struct maker *m, unsigned n, bool by_all) {
    struct step *first = NULL, **to = &first;
    for (; n; n--, to = &(*to)->next) {
        uint32_t k = below(100);
        bool may_loop = m->counters < NAMES - N_COUNTER && m->depth < 2;
        if (k < 30)
            *to = touch(m, S_STORE);
        else if (k < 40)
            *to = touch(m, elements_of[m->r->element].bytes != 4 ? S_STORE : one_in(3) ? S_ADD : S_UPDATE);
        else if (k < 62)
            *to = touch(m, S_LOAD);
        else if (k < 78 && m->numbers < 60)
            *to = choice(m);
        else if (k < 89 && by_all)
            *to = barrier(m);
        else if (may_loop)
            *to = loop(m, by_all && k < 97);
        else
            *to = touch(m, S_LOAD);
    }
    return first;
}

/* Each place of the local tile is written, and all wait, as a rule. */
static struct step *fill(struct maker *m, unsigned tile) {
    struct step *s = get(sizeof *s), *store = get(sizeof *store);
    const struct term *i = name(N_COUNTER + m->counters);
    uint32_t rounds = (m->r->size[tile] + m->items - 1) / m->items;
    *s = (struct step){.kind = S_FOR, .n = m->counters++, .from = number(0), .kid = {store}};
    s->while_ = of_number(i, "<", rounds);
    s->then = of_number(i, "+", 1);
    *store = (struct step){.kind = S_STORE, .tile = tile, .n = ++m->numbers, .width = 1};
    store->at = of(of_number(i, "*", m->items), "+", name(N_L));
    if (m->r->members > 1) {
        struct step *second = store->next = get(sizeof *second);
        *second = *store;
        second->next = NULL;
        second->n = ++m->numbers;
        second->member = 1;
    }
    s->next = one_in(10) ? NULL : barrier(m);
    return s;
}

/* Some places are written under a condition, all wait, and some are read. */
static struct step *part(struct maker *m) {
    struct step *s = choice(m), *b = barrier(m), *read = choice(m);
    s->kid[0] = touch(m, S_STORE);
    s->kid[0]->at = one_in(2) ? name(N_L) : s->kid[0]->at;
    s->next = b;
    b->next = read;
    read->kid[0] = touch(m, S_LOAD);
    read->kid[0]->at = one_in(2) ? name(N_L) : read->kid[0]->at;
    s->kid[0]->tile = read->kid[0]->tile = m->r->size[IN_OTHER] && one_in(2) ? IN_OTHER : IN_LOCAL;
    return s;
}

static void make_any(struct races *r) {
    static const char *const types[] = {"uint", "int", "size_t"};
    struct maker m = {.r = r};
    uint32_t x = ONE_OF(8, 16, 16, 32);
    *r = (struct races){.local = {x, 1}, .element = one_in(3) ? 1 + below(2) : 0, .is_argument = one_in(2)};
    r->type = types[below(COUNT(types))];
    r->members = one_in(4) ? 2 : 1;
    r->subgroup = one_in(4) ? ONE_OF(8, 8, 16) : 0;
    if (one_in(4))
        r->local[1] = r->local[0] > 16 ? 2 : 4;
    m.items = r->local[0] * r->local[1];
    r->global = r->local[0] * (1 + below(3));
    if (r->global > r->local[0] && one_in(4))
        r->global -= 1 + below(r->local[0] - 1);
    r->argument = ONE_OF(0, 1, 2, 3, 4, m.items / 2, m.items);
    r->size[IN_LOCAL] = m.items * ONE_OF(1, 2, 2, 4, 4) + (one_in(5) ? 4 : 0);
    r->size[IN_GLOBAL] = m.items * 4 * ONE_OF(1, 1, 2);
    r->size[IN_OTHER] = one_in(3) ? m.items * ONE_OF(1, 1, 2) + below(3) : 0;
    uint32_t shape = below(8);
    r->body = shape < 5 ? fill(&m, IN_LOCAL) : shape < 7 ? part(&m) : NULL;
    struct step **to = &r->body;
    while (*to)
        to = &(*to)->next;
    if (r->size[IN_OTHER] && !one_in(3))
        *to = fill(&m, IN_OTHER);
    while (*to)
        to = &(*to)->next;
    *to = steps(&m, shape < 5 ? 2 + below(6) : below(4), true);
}

/* A good part of the kernels should be right; not where nobody knows what is to be found. */
static bool is_wanted(const struct truth *t) {
    uint32_t times = t->wrongs & BEYOND                     ? 60
                     : t->wrongs & (DATA_RACE | GROUP_RACE) ? 12
                     : t->wrongs & NO_FENCE                 ? 6
                     : t->wrongs                            ? 3
                                                            : 1;
    return !t->is_long && t->wrongs == t->perhaps && one_in(times);
}

void races_make(uint64_t seed, struct races *r) {
    struct truth truth;
    random_state = seed * 2654435761u + 1;
    do {
        races_forget();
        make_any(r);
        races_simulate(r, &truth);
    } while (!is_wanted(&truth));
}

/* ---- shorter ---- */

static bool leave_out(struct step *s, bool (*fails)(void *), void *arg) {
    bool any = false;
    for (; s; s = s->next) {
        if (s->gone)
            continue;
        s->gone = true;
        s->gone = fails(arg);
        any |= s->gone || leave_out(s->kid[0], fails, arg) || leave_out(s->kid[1], fails, arg);
    }
    return any;
}

void races_reduce(struct races *r, bool (*fails)(void *), void *arg) {
    for (unsigned n = 0; n < 4 && leave_out(r->body, fails, arg); n++)
        ;
}
