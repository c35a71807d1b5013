/* make.c: makes and shortens the kernels of indices.h.
 *
 * In: a seed. Out: a kernel. Statements are random; those in which the interpreter finds something undefined are dropped. */
#include "indices.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- numbers and memory ------------------------------------------------------------------------------------ */

static uint64_t random_state;

static uint32_t roll_below(uint32_t n) { /* splitmix64 */
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)((z ^ z >> 31) >> 16) % n;
}

static struct chunk {
    struct chunk *next;
    size_t used;
    _Alignas(16) char bytes[1 << 16];
} *chunks;

static void *get(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (!chunks || chunks->used + size > sizeof chunks->bytes) {
        struct chunk *c = malloc(sizeof *c);
        c->next = chunks;
        c->used = 0;
        chunks = c;
    }
    chunks->used += size;
    return memset(chunks->bytes + chunks->used - size, 0, size);
}

void indices_forget(void) {
    while (chunks) {
        struct chunk *c = chunks;
        chunks = c->next;
        free(c);
    }
}

/* ---- random expressions ------------------------------------------------------------------------------------ */

static struct index *new_index(struct index e) {
    return memcpy(get(sizeof e), &e, sizeof e);
}

static struct index *number(int64_t n) {
    enum integer t = roll_below(4) ? INT32 : UINT32 + (enum integer)roll_below(2);
    return new_index((struct index){.kind = I_CONSTANT, .type = n < 0 ? INT32 : t, .n = n});
}

static struct index *place(const struct indices *p, unsigned i) {
    return new_index((struct index){.kind = I_PLACE, .type = p->types[i], .n = i});
}

static bool is_comparison(const char *op) {
    return *op == '=' || *op == '!' || ((*op == '<' || *op == '>') && !op[1]);
}

static struct index *binary(struct index *a, const char *op, struct index *b) {
    struct index e = {.kind = I_BINARY, .a = a, .b = b};
    strncpy(e.op, op, 2);
    e.type = is_comparison(op) ? INT32 : op[1] ? indices_promoted(a->type) : indices_common(a->type, b->type);
    return new_index(e);
}

static struct index *call(enum index_kind kind, struct index *a, struct index *b, struct index *c) {
    enum integer t = indices_common(a->type, b->type);
    t = kind == I_MUL24 ? INT32 + (t & 1) : c ? indices_common(t, c->type) : t;
    return new_index((struct index){.kind = kind, .type = t, .a = a, .b = b, .c = c});
}

static struct index *choice(struct index *a, struct index *b, struct index *c) {
    return new_index(
        (struct index){.kind = I_CHOICE, .type = indices_common(b->type, c->type), .a = a, .b = b, .c = c});
}

/* What differs between work-items: mostly ids. */
static struct index *an_id(const struct indices *p) {
    static const unsigned often[] = {P_L,      P_L,  P_L,  P_L, P_LINEAR, P_LINEAR, P_G,
                                     P_GLOBAL, P_LY, P_GY, P_I, P_I + 1,  P_OFFSET};
    return place(p, often[roll_below(sizeof often / sizeof *often)]);
}

static unsigned loops; /* around what is being made */

/* What is the same for all of a group. */
static struct index *shared(const struct indices *p) {
    static const unsigned names[] = {P_ARG, P_ARG + 1, P_GROUP, P_SIZE, P_J, P_J + 1, P_LY};
    static const int numbers[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 100, 127, 255, 256};
    if (roll_below(3))
        return number(numbers[roll_below(sizeof numbers / sizeof *numbers)]);
    unsigned n = names[roll_below(sizeof names / sizeof *names)];
    return n >= P_J && n < P_J + 2 && n - P_J >= loops ? number(1) : place(p, n);
}

static struct index *power(void) {
    return number(1 << roll_below(8));
}

static struct index *random_index(const struct indices *p, unsigned depth);

/* A part of an index. */
static struct index *part(const struct indices *p, unsigned depth) {
    return depth && roll_below(3) == 0 ? random_index(p, depth - 1) : an_id(p);
}

static struct index *condition(const struct indices *p, unsigned depth) {
    static const char *const compares[] = {"<", "<", ">", "=", "!"};
    struct index *e = part(p, depth);
    if (roll_below(3) == 0)
        return binary(binary(e, "&", number(1 + roll_below(20))), roll_below(2) ? "=" : "!", number(0));
    if (roll_below(4) == 0)
        return binary(condition(p, 0), roll_below(2) ? "&" : "|", condition(p, 0));
    return binary(e, compares[roll_below(5)], shared(p));
}

/* The shapes that programs have. */
static struct index *shape(const struct indices *p, unsigned depth) {
    struct index *i = part(p, depth), *n = shared(p), *m = shared(p), *k = power(), *one = number(1);
    switch (roll_below(18)) {
    case 0: /* a wrap */
        return binary(binary(i, "+", m), "%", n);
    case 1:
        return choice(binary(binary(i, "+", one), "<", n), binary(i, "+", one), number(0));
    case 2: /* a halo */
        return call(I_CLAMP, binary(i, roll_below(2) ? "+" : "-", m), number(0), n);
    case 3:
        return call(roll_below(2) ? I_MIN : I_MAX, binary(i, roll_below(2) ? "+" : "-", one), n, NULL);
    case 4: /* padded rows */
        return binary(binary(binary(i, "/", n), "*", binary(n, "+", one)), "+", binary(i, "%", n));
    case 5:
        return binary(i, "+", binary(i, ">>", number(1 + roll_below(6))));
    case 6: /* butterflies */
        return binary(binary(number(2), "*", i), "-", binary(i, "&", binary(k, "-", one)));
    case 7:
        return binary(i, "^", roll_below(2) ? k : binary(k, "-", one));
    case 8: /* strides of powers of two */
        return binary(binary(k, "*", binary(binary(number(2), "*", i), "+", number(1 + roll_below(2)))), "-",
                      one);
    case 9: /* a few apart */
        return binary(binary(i, "*", number(2 + roll_below(4))), "+", number(roll_below(5)));
    case 10: /* blocks */
        return binary(i, "/", n);
    case 11: /* downwards */
        return binary(n, "-", i);
    case 12: /* a transposition */
        return binary(binary(binary(i, "%", n), "*", m), "+", binary(i, "/", n));
    case 13: /* two dimensions */
        return binary(binary(place(p, P_LY), "*", n), "+", i);
    case 14:
        return binary(binary(place(p, P_L), "*", n), "+", place(p, P_LY));
    case 15: /* fields of bits */
        return binary(binary(binary(i, "&", binary(k, "-", one)), "<<", number(roll_below(4))),
                      roll_below(2) ? "|" : "+", binary(i, ">>", number(roll_below(6))));
    case 16:
        return choice(condition(p, 0), part(p, depth), part(p, depth));
    default:
        return binary(binary(place(p, P_GROUP), "*", n), "+", i);
    }
}

static struct index *random_index(const struct indices *p, unsigned depth) {
    static const char *const ops[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
    struct index *e;
    switch (roll_below(10)) {
    case 0:
        return binary(part(p, depth), ops[roll_below(10)], shared(p));
    case 1:
        return binary(part(p, depth), ops[roll_below(10)], part(p, depth));
    case 2:
        return binary(part(p, depth), "+", shared(p));
    case 3: {
        enum integer t = (enum integer)roll_below(INTEGERS);
        return new_index((struct index){.kind = I_CAST, .type = t, .a = part(p, depth)});
    }
    case 4:
        e = binary(place(p, P_X), "&", number((1 << roll_below(9)) - 1));
        return roll_below(3) ? shape(p, depth) : e;
    case 5:
        return call(roll_below(2) ? I_MUL24 : I_ROTATE, part(p, depth), shared(p), NULL);
    default:
        return shape(p, depth);
    }
}

/* An index that may be in range as it is, or is brought there. */
static struct index *index_into(const struct indices *p, unsigned memory) {
    struct index *e = random_index(p, 1 + roll_below(2));
    unsigned size = p->size[memory];
    switch (roll_below(6)) {
    case 0:
        return binary(e, "%", number(size));
    case 1:
        return call(I_CLAMP, e, number(0), number(size - 1));
    case 2:
        return size & (size - 1) ? e : binary(e, "&", number(size - 1));
    default:
        return e;
    }
}

/* ---- random kernels ---------------------------------------------------------------------------------------- */

struct maker {
    struct indices *p;
    bool together; /* all work-items come here */
};

static struct action *random_actions(struct maker *m, unsigned count, unsigned depth);

static struct action *random_access(const struct maker *m, bool writes) {
    static const unsigned reads[] = {M_A, M_A, M_B, M_IN, M_IN, M_OUT};
    struct action *a = get(sizeof *a);
    a->kind = writes ? A_STORE : A_LOAD;
    a->n = writes ? (unsigned[]){M_A, M_A, M_B, M_OUT, M_OUT}[roll_below(5)] : reads[roll_below(6)];
    a->at = index_into(m->p, a->n);
    a->value = binary(binary(place(m->p, P_X), "*", number(5)), "+", roll_below(2) ? an_id(m->p) : number(1));
    return a;
}

/* Rows that may be far apart, of which one or two take part: the others' places are nowhere near. */
static struct action *rows_apart(const struct maker *m) {
    static const int apart[] = {100, 300, 2000, 8000, 30000, 1000000};
    struct index *i = an_id(m->p), *length = number(1 << roll_below(5)), *row = binary(i, "/", length),
                 *first = number(roll_below(6)), *after = number(first->n + 2);
    struct action *a = get(sizeof *a);
    a->kind = A_IF;
    a->at = roll_below(2)
                ? binary(row, "=", first)
                : binary(binary(row, "<", after), "&", binary(first, "<", binary(row, "+", number(1))));
    a->kid[0] = random_access(m, roll_below(2));
    a->kid[0]->at = binary(binary(binary(row, "-", first), "*", number(apart[roll_below(6)])), "+",
                           binary(i, "%", length));
    return a;
}

static struct action *random_loop(struct maker *m, unsigned depth) {
    struct action *a = get(sizeof *a);
    bool together = m->together;
    a->kind = A_FOR;
    a->n = roll_below(3);
    a->depth = loops++;
    if (together && roll_below(4)) {
        static const unsigned bounds[] = {1, 2, 3, 4, 5, 8, 16, 32, 64, 100, 128, 256};
        a->at = roll_below(3) ? number(a->n == COUNTS ? 1 + roll_below(5) : bounds[roll_below(12)])
                              : place(m->p, P_ARG + roll_below(2));
    } else {
        a->at = binary(an_id(m->p), "&", number(7));
        m->together = false;
    }
    a->kid[0] = random_actions(m, 1 + roll_below(3), depth - 1);
    m->together = together;
    loops--;
    return a;
}

static struct action *random_action(struct maker *m, unsigned depth) {
    struct action *a = get(sizeof *a);
    unsigned kind = roll_below(17);
    if (kind < 5)
        return random_access(m, false);
    if (kind < 11)
        return random_access(m, true);
    if (kind == 16)
        return rows_apart(m);
    if (kind == 11) {
        a->kind = A_SET;
        a->n = P_I + roll_below(2);
        a->value = random_index(m->p, 1);
    } else if (kind < 14 && depth) {
        bool together = m->together;
        a->kind = A_IF;
        a->at = condition(m->p, 1);
        m->together = false;
        a->kid[0] = random_actions(m, 1 + roll_below(3), depth - 1);
        a->kid[1] = roll_below(3) ? NULL : random_actions(m, 1 + roll_below(2), depth - 1);
        m->together = together;
    } else if (depth && loops < 2) {
        return random_loop(m, depth);
    } else {
        return random_access(m, roll_below(2));
    }
    return a;
}

/* In code that all work-items come to, a barrier follows most statements. */
static struct action *random_actions(struct maker *m, unsigned count, unsigned depth) {
    struct action *first = NULL, **end = &first;
    for (unsigned i = 0; i < count; i++) {
        *end = random_action(m, depth);
        end = &(*end)->next;
        if (m->together && roll_below(3)) {
            *end = get(sizeof **end);
            (*end)->kind = A_BARRIER;
            end = &(*end)->next;
        }
    }
    return first;
}

static void choose_types(struct indices *p) {
    static const enum integer types[] = {INT32,  INT32, INT32, UINT32, UINT32,
                                         UINT64, INT64, INT16, UINT16, UINT8};
    for (unsigned i = 0; i < PLACES; i++) {
        bool is_byte = (i == P_L || i == P_LY) && p->local[0] <= 256;
        p->types[i] = types[roll_below(is_byte ? 10 : 9)];
        if (i == P_J || i == P_J + 1)
            p->types[i] = INT32 + (enum integer)roll_below(2);
    }
    p->types[P_ARG] = p->types[P_OFFSET] = INT32;
    p->types[P_ARG + 1] = p->types[P_X] = UINT32;
}

static void choose_sizes(struct indices *p) {
    static const unsigned rows[] = {16, 32, 64, 64, 128, 256, 256, 8, 20, 48, 100};
    static const unsigned tiles[][2] = {{16, 16}, {8, 8},  {32, 4}, {4, 16}, {20, 5}, {64, 2},
                                        {16, 4},  {2, 32}, {4, 4},  {8, 4},  {8, 6},  {2, 16},
                                        {3, 5},   {4, 12}, {8, 16}, {16, 2}};
    static const unsigned sizes[] = {512, 1024, 300, 1000, 2048, 4096};
    static const int arguments[] = {0, 1, 2, 3, 4, 7, 8, 16, 17, 32, 63, 64, 100};
    p->dims = 1 + (roll_below(3) == 0);
    const unsigned *tile = tiles[roll_below(16)];
    p->local[0] = p->dims == 1 ? rows[roll_below(11)] : tile[0];
    p->local[1] = p->dims == 1 ? 1 : tile[1];
    p->groups[0] = 1 + roll_below(3);
    p->groups[1] = p->dims == 1 || p->groups[0] > 2 ? 1 : 1 + roll_below(2);
    p->offset[0] = roll_below(4) ? 0 : roll_below(40);
    p->offset[1] = p->dims == 1 || roll_below(4) ? 0 : roll_below(5);
    for (unsigned m = 0; m < MEMORIES; m++) {
        p->size[m] = sizes[roll_below(6)];
        p->element[m] = roll_below(2) ? 0 : roll_below(MOST_ELEMENTS);
    }
    for (unsigned a = 0; a < 2; a++)
        p->args[a] = arguments[roll_below(13)];
    p->tiles_are_arguments = roll_below(3) == 0;
}

void indices_make(uint64_t seed, struct indices *p) {
    enum { TRIES = 160 };
    random_state = seed * 0x2545f4914f6cdd1d;
    *p = (struct indices){.body = NULL};
    choose_sizes(p);
    choose_types(p);
    struct machine *m = indices_begin(p);
    struct action **end = &p->body;
    unsigned wanted = 3 + roll_below(6);
    for (unsigned try = 0; try < TRIES && wanted; try++) {
        struct maker maker = {.p = p, .together = true};
        loops = 0;
        struct action *made = random_actions(&maker, 1, 2);
        if (!indices_try(m, made))
            continue;
        *end = made;
        for (; *end; end = &(*end)->next)
            ;
        wanted--;
    }
    indices_end(m);
}

/* ---- shortening -------------------------------------------------------------------------------------------- */

struct reducer {
    struct indices *p;
    bool (*fails)(void *);
    void *arg;
    time_t end;
    bool changed;
};

static bool still_fails(struct reducer *r) {
    static struct outcome o;
    bool is = time(NULL) < r->end && indices_interpret(r->p, &o) && r->fails(r->arg);
    r->changed |= is;
    return is;
}

static void reduce_index(struct reducer *r, struct index **e) {
    struct index *old = *e, *kids[] = {old->a, old->b, old->c};
    for (unsigned i = 0; i < 3; i++) {
        struct index cast = {.kind = I_CAST, .type = old->type, .a = kids[i]};
        if (!kids[i] || (old->kind == I_CAST && kids[i]->type == old->type))
            continue;
        *e = kids[i]->type == old->type ? kids[i] : new_index(cast);
        if (old->kind != I_CAST && still_fails(r))
            return;
        *e = old;
    }
    struct index **places[] = {&old->a, &old->b, &old->c};
    for (unsigned i = 0; i < 3; i++)
        if (*places[i])
            reduce_index(r, places[i]);
}

static void reduce_actions(struct reducer *r, struct action **at) {
    while (*at) {
        struct action *old = *at;
        *at = old->next;
        if (still_fails(r))
            continue;
        *at = old;
        if (old->kid[0] && old->kind == A_IF) { /* its body alone */
            struct action *last = old->kid[0];
            while (last->next)
                last = last->next;
            last->next = old->next;
            *at = old->kid[0];
            if (still_fails(r))
                continue;
            last->next = NULL;
            *at = old;
        }
        for (unsigned k = 0; k < 2; k++)
            reduce_actions(r, &old->kid[k]);
        if (old->at)
            reduce_index(r, &old->at);
        if (old->value)
            reduce_index(r, &old->value);
        at = &old->next;
    }
}

void indices_reduce(struct indices *p, bool (*fails)(void *), void *arg) {
    enum { SECONDS = 120 };
    struct reducer r = {p, fails, arg, time(NULL) + SECONDS, true};
    while (r.changed) {
        r.changed = false;
        reduce_actions(&r, &p->body);
    }
}
