/* interpret.c: what the kernels of indices.h leave in memory, by C code that knows nothing of packs: all work-items go through
 * each statement one after the other, which for what races with nothing gives what any order gives. */
#include "indices.h"
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 12, MANY = -2, NOBODY = -1 }; /* rounds of a loop; readers of a cell */

/* ---- elements ---------------------------------------------------------------------------------------------- */

const struct elements elements_of[MOST_ELEMENTS] = {{"uint", 4},  {"uint", 4},  {"float", 4}, {"uchar", 1},
                                                    {"short", 2}, {"ulong", 8}, {"uint2", 8}, {"uint4", 16}};

static bool is_named(unsigned element, const char *name) {
    return !strcmp(elements_of[element].name, name);
}

uint32_t indices_read(unsigned element, uint32_t u) {
    if (is_named(element, "float"))
        return u & 0xffff;
    if (is_named(element, "uchar"))
        return (uint8_t)u;
    if (is_named(element, "short"))
        return (uint32_t)(int16_t)u;
    if (is_named(element, "uint2"))
        return u + 3 * (u + 1);
    if (is_named(element, "uint4"))
        return u + 3 * (u + 1) + 5 * (u ^ 5) + 7 * (u * 3);
    return u;
}

void indices_encode(unsigned element, uint32_t u, unsigned char *bytes) {
    uint32_t words[] = {u, u + 1, u ^ 5, u * 3};
    float number = (float)(u & 0xffff);
    uint64_t wide = (uint64_t)u << 8;
    const void *from = words;
    if (is_named(element, "float"))
        from = &number;
    if (is_named(element, "ulong"))
        from = &wide;
    memcpy(bytes, from, elements_of[element].size); /* the low bytes of what is narrow come first */
}

uint32_t indices_initial(enum memory m, unsigned i) {
    return i * 7 + 3 + (uint32_t)m * 1000;
}

int32_t indices_offset(unsigned item) {
    return (int32_t)((item * 2654435761u >> 20) % 7) - (item % 5 == 0);
}

/* ---- types ------------------------------------------------------------------------------------------------- */

static unsigned bits_of(enum integer t) {
    return 8u << t / 2;
}

static int64_t wrapped(enum integer t, uint64_t n) {
    unsigned out = 64 - bits_of(t);
    return t % 2 ? (int64_t)(n << out >> out) : (int64_t)(n << out) >> out;
}

/* Integer promotion, and the usual arithmetic conversions. */
enum integer indices_promoted(enum integer t) {
    return t < INT32 ? INT32 : t;
}

enum integer indices_common(enum integer x, enum integer y) {
    x = indices_promoted(x), y = indices_promoted(y);
    return x > y ? x : y;
}

/* ---- interpretation ---------------------------------------------------------------------------------------- */

struct cell {
    uint32_t value, write_phase, read_phase;
    int16_t writer, reader, read_group;
};
struct state {
    int64_t of[MOST_ITEMS][PLACES];
    struct cell local[2][MOST_GROUPS][LARGEST], out[LARGEST];
    uint32_t phase;
};
struct machine {
    const struct indices *p;
    struct state *s, *before; /* the last statement that was tried */
    unsigned items, size;     /* of the NDRange, of a group */
    bool bad;
};

static unsigned group_of(const struct machine *m, unsigned item) {
    return (unsigned)m->s->of[item][P_GROUP];
}

/* False: undefined. */
static bool compute(const char *op, enum integer t, int64_t a, int64_t b, int64_t *r) {
    bool is_unsigned = t % 2,
         by_zero = !b || (!is_unsigned && b == -1 && a == wrapped(t, UINT64_C(1) << (bits_of(t) - 1)));
    uint64_t x = (uint64_t)a, y = (uint64_t)b, amount = y & (bits_of(t) - 1);
    __int128 exact;
    switch (*op) {
    case '+':
        exact = (__int128)a + b;
        break;
    case '-':
        exact = (__int128)a - b;
        break;
    case '*':
        exact = (__int128)a * b;
        break;
    case '/':
    case '%':
        if (by_zero)
            return false;
        if (is_unsigned)
            *r = (int64_t)(*op == '/' ? x / y : x % y);
        else
            *r = *op == '/' ? a / b : a % b;
        return true;
    case '&':
        *r = a & b;
        return true;
    case '|':
        *r = a | b;
        return true;
    case '^':
        *r = a ^ b;
        return true;
    case '=':
        *r = a == b;
        return true;
    case '!':
        *r = a != b;
        return true;
    case '<':
        if (op[1] == '<')
            *r = wrapped(t, x << amount);
        else
            *r = is_unsigned ? x < y : a < b;
        return true;
    default:
        if (op[1] == '>')
            *r = is_unsigned ? (int64_t)(x >> amount) : a >> amount;
        else
            *r = is_unsigned ? x > y : a > b;
        return true;
    }
    *r = wrapped(t, (uint64_t)exact);
    return is_unsigned || *r == exact;
}

static int64_t eval(struct machine *m, const struct index *e, unsigned item);

/* As a value of the expression's type. */
static int64_t operand(struct machine *m, const struct index *e, const struct index *of, unsigned item) {
    return wrapped(e->type, (uint64_t)eval(m, of, item));
}

static int64_t eval_call(struct machine *m, const struct index *e, unsigned item) {
    int64_t a = operand(m, e, e->a, item), b = operand(m, e, e->b, item), r;
    switch (e->kind) {
    case I_MIN:
        return compute("<", e->type, a, b, &r) && r ? a : b;
    case I_MAX:
        return compute("<", e->type, a, b, &r) && r ? b : a;
    case I_CLAMP: {
        int64_t c = operand(m, e, e->c, item);
        m->bad |= compute("<", e->type, c, b, &r) && r;
        a = compute("<", e->type, a, b, &r) && r ? b : a;
        return compute("<", e->type, c, a, &r) && r ? c : a;
    }
    case I_MUL24:
        m->bad |= a < -(1 << 23) || a >= 1 << 23 || b < -(1 << 23) || b >= 1 << 23;
        return wrapped(e->type, (uint64_t)(a * b));
    default: { /* rotate */
        uint64_t n = (uint64_t)b & (bits_of(e->type) - 1), x = (uint64_t)wrapped(e->type | 1, (uint64_t)a);
        return wrapped(e->type, n ? x << n | x >> (bits_of(e->type) - n) : x);
    }
    }
}

static int64_t eval(struct machine *m, const struct index *e, unsigned item) {
    int64_t r = 0;
    switch (e->kind) {
    case I_CONSTANT:
        return e->n;
    case I_PLACE:
        return m->s->of[item][e->n];
    case I_CAST:
        return operand(m, e, e->a, item);
    case I_CHOICE:
        return eval(m, e->a, item) ? operand(m, e, e->b, item) : operand(m, e, e->c, item);
    case I_BINARY: {
        bool is_shift = e->op[0] == e->op[1];
        enum integer t = is_shift ? e->type : indices_common(e->a->type, e->b->type);
        int64_t a = wrapped(t, (uint64_t)eval(m, e->a, item)), b = eval(m, e->b, item);
        m->bad |= !compute(e->op, t, a, is_shift ? b : wrapped(t, (uint64_t)b), &r);
        return r;
    }
    default:
        return eval_call(m, e, item);
    }
}

/* The element that the work-item accesses, or NULL. */
static struct cell *cell_of(struct machine *m, enum memory memory, const struct index *at, unsigned item) {
    int64_t i = eval(m, at, item);
    if (at->type == UINT64 ? (uint64_t)i >= m->p->size[memory] : i < 0 || i >= m->p->size[memory])
        m->bad = true;
    if (m->bad)
        return NULL;
    return memory == M_OUT ? &m->s->out[i] : &m->s->local[memory][group_of(m, item)][i];
}

/* Another work-item has written since the last barrier, or in another group. */
static bool races_with_write(const struct machine *m, const struct cell *c, unsigned item) {
    return c->writer != NOBODY && c->writer != (int)item &&
           (c->write_phase == m->s->phase || group_of(m, (unsigned)c->writer) != group_of(m, item));
}

static void load(struct machine *m, const struct action *a, unsigned item) {
    uint32_t value;
    if (a->n == M_IN) {
        int64_t i = eval(m, a->at, item);
        m->bad |= i < 0 || i >= m->p->size[M_IN];
        value = indices_initial(M_IN, (unsigned)i);
    } else {
        struct cell *c = cell_of(m, a->n, a->at, item);
        if (!c)
            return;
        m->bad |= races_with_write(m, c, item);
        bool again = c->reader != NOBODY && c->read_phase == m->s->phase;
        c->reader = again && c->reader != (int)item ? MANY : (int16_t)item;
        c->read_phase = m->s->phase;
        int group = (int)group_of(m, item);
        c->read_group = c->read_group == NOBODY || c->read_group == group ? (int16_t)group : MANY;
        value = c->value;
    }
    int64_t *x = &m->s->of[item][P_X];
    *x = (uint32_t)*x * 3u + indices_read(m->p->element[a->n], value);
}

static void store(struct machine *m, const struct action *a, unsigned item) {
    struct cell *c = cell_of(m, a->n, a->at, item);
    int64_t value = eval(m, a->value, item);
    if (!c)
        return;
    bool is_read = c->reader != NOBODY && c->reader != (int)item && c->read_phase == m->s->phase;
    bool is_read_elsewhere = c->read_group != NOBODY && c->read_group != (int)group_of(m, item);
    m->bad |= is_read || is_read_elsewhere || races_with_write(m, c, item);
    c->writer = (int16_t)item;
    c->write_phase = m->s->phase;
    c->value = (uint32_t)value;
}

static void run(struct machine *m, const struct action *a, const bool *on);

static void run_loop(struct machine *m, const struct action *a, const bool *on) {
    bool inside[MOST_ITEMS];
    unsigned place = P_J + a->depth, left = 1;
    memcpy(inside, on, sizeof inside);
    for (unsigned i = 0; i < m->items; i++)
        if (on[i])
            m->s->of[i][place] = a->n == HALVES ? eval(m, a->at, i) : a->n == DOUBLES;
    for (unsigned round = 0; left && !m->bad; round++) {
        left = 0;
        for (unsigned i = 0; i < m->items; i++) {
            int64_t j = m->s->of[i][place];
            inside[i] &= inside[i] && (a->n == HALVES ? j > 0 : j < eval(m, a->at, i));
            left += inside[i];
        }
        m->bad |= round > ITERATIONS;
        run(m, left ? a->kid[0] : NULL, inside);
        for (unsigned i = 0; i < m->items; i++)
            if (inside[i]) {
                int64_t *j = &m->s->of[i][place];
                *j = a->n == HALVES ? *j / 2 : a->n == DOUBLES ? *j * 2 : *j + 1;
            }
    }
}

static void run_one(struct machine *m, const struct action *a, const bool *on) {
    bool side[2][MOST_ITEMS] = {{0}};
    for (unsigned i = 0; i < m->items && !m->bad; i++) {
        if (!on[i])
            continue;
        if (a->kind == A_LOAD)
            load(m, a, i);
        if (a->kind == A_STORE)
            store(m, a, i);
        if (a->kind == A_SET)
            m->s->of[i][a->n] = wrapped(m->p->types[a->n], (uint64_t)eval(m, a->value, i));
        if (a->kind == A_IF)
            side[eval(m, a->at, i) ? 0 : 1][i] = true;
    }
    if (a->kind == A_IF) {
        run(m, a->kid[0], side[0]);
        run(m, a->kid[1], side[1]);
    }
    if (a->kind == A_FOR)
        run_loop(m, a, on);
    m->s->phase += a->kind == A_BARRIER;
}

static void run(struct machine *m, const struct action *a, const bool *on) {
    for (; a && !m->bad; a = a->next)
        run_one(m, a, on);
}

static void set_places(struct machine *m) {
    const struct indices *p = m->p;
    unsigned row = p->local[0] * p->groups[0];
    for (unsigned i = 0; i < m->items; i++) {
        int64_t *of = m->s->of[i];
        unsigned x = i % row, y = i / row, l = x % p->local[0], ly = y % p->local[1];
        of[P_L] = l;
        of[P_LY] = ly;
        of[P_LINEAR] = ly * p->local[0] + l;
        of[P_G] = x + p->offset[0];
        of[P_GY] = y + p->offset[1];
        of[P_GLOBAL] = i;
        of[P_GROUP] = y / p->local[1] * p->groups[0] + x / p->local[0];
        of[P_SIZE] = p->local[0];
        of[P_ARG] = p->args[0];
        of[P_ARG + 1] = p->args[1];
        of[P_OFFSET] = indices_offset(i);
        of[P_X] = i;
    }
}

static struct machine begin(const struct indices *p) {
    struct machine m = {p, calloc(1, sizeof *m.s), NULL, 0, p->local[0] * p->local[1], false};
    m.items = m.size * p->groups[0] * p->groups[1];
    set_places(&m);
    struct cell empty = {.writer = NOBODY, .reader = NOBODY, .read_group = NOBODY};
    for (unsigned i = 0; i < LARGEST; i++) {
        for (unsigned t = 0; t < 2 * MOST_GROUPS; t++) {
            m.s->local[t % 2][t / 2][i] = empty;
            m.s->local[t % 2][t / 2][i].value = indices_initial(t % 2 ? M_B : M_A, i);
        }
        m.s->out[i] = empty;
        m.s->out[i].value = indices_initial(M_OUT, i);
    }
    return m;
}

static const bool *everyone(void) {
    static bool all[MOST_ITEMS];
    memset(all, 1, sizeof all);
    return all;
}

bool indices_interpret(const struct indices *p, struct outcome *o) {
    struct machine m = begin(p);
    run(&m, p->body, everyone());
    for (unsigned i = 0; i < m.items; i++)
        o->x[i] = (uint32_t)m.s->of[i][P_X];
    for (unsigned g = 0, n = 0; g < p->groups[0] * p->groups[1]; g++)
        for (unsigned t = 0; t < 2; t++)
            for (unsigned i = 0; i < p->size[t]; i++)
                o->tiles[n++] = indices_read(p->element[t], m.s->local[t][g][i].value);
    for (unsigned i = 0; i < p->size[M_OUT]; i++)
        o->out[i] = m.s->out[i].value;
    free(m.s);
    return !m.bad;
}

struct machine *indices_begin(const struct indices *p) {
    struct machine *m = malloc(sizeof *m);
    *m = begin(p);
    m->before = malloc(sizeof *m->before);
    return m;
}

bool indices_try(struct machine *m, const struct action *a) {
    memcpy(m->before, m->s, sizeof *m->s);
    m->bad = false;
    run(m, a, everyone());
    if (m->bad)
        memcpy(m->s, m->before, sizeof *m->s);
    return !m->bad;
}

void indices_end(struct machine *m) {
    free(m->before);
    free(m->s);
    free(m);
}
