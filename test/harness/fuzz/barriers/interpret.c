/* interpret.c: runs a random program as its source says, for the whole group in lockstep where statements are
 * uniform, else item by item. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

struct place { /* what a work-item keeps across calls */
    uint32_t m[ARRAY], names[NAMES];
    uint8_t bytes[ARRAY];
    uint16_t own[2];
};
struct item { /* a function's frame */
    uint32_t v[VARIABLES], u[UNIFORMS], a[ARRAY], b[ARRAY], t[LOOPS], end[LOOPS], w;
    struct place *place;
};
struct group {
    const struct program *program;
    struct item *items;
    uint32_t n, *local_cells, *cells;
};
enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN };

uint32_t input_at(uint32_t i) {
    return (i * 0x9e3779b9u ^ 0x55aa1234u) >> (i % 24);
}

static uint32_t binary(char op, uint32_t a, uint32_t b) {
    switch (op) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '^':
        return a ^ b;
    case '&':
        return a & b;
    case '|':
        return a | b;
    case '<':
        return a < b;
    case '>':
        return a > b;
    case '/':
        return a / (b | 1);
    case '%':
        return a % (b | 1);
    case 'l':
        return a << (b & 31);
    case 'r':
        return a >> (b & 31);
    case 's':
        return (int32_t)a < (int32_t)b;
    case 'd':
        return (uint32_t)((int32_t)a / (int32_t)((b & 255) | 1));
    case 'a':
        return (uint32_t)((int32_t)a >> (b & 31));
    case 'L':
        return (uint32_t)((uint64_t)a * b >> 17);
    case 'u':
        return (uint8_t)(a + b);
    case 'x':
        return (uint32_t)((int64_t)(int32_t)a >> (b & 63));
    case 'n':
        return (uint32_t)(int16_t)(a - b);
    case 'w':
        return (uint32_t)(((int64_t)(int32_t)a - (int32_t)b) >> 1);
    default:
        return (a & (31 > b)) ? 1 : b;
    }
}

static uint32_t eval(const struct expr *e, const struct item *i) {
    const struct place *p = i->place;
    uint32_t at = e->a ? eval(e->a, i) : 0;
    switch (e->kind) {
    case E_CONSTANT:
        return e->n;
    case E_V:
        return i->v[e->n];
    case E_U:
        return i->u[e->n];
    case E_LOOP:
        return i->t[e->n];
    case E_NAME:
        return p->names[e->n];
    case E_A:
        return i->a[at & 7];
    case E_POINTER:
        return (at & 1 ? i->a : i->b)[eval(e->b, i) & 7];
    case E_VOLATILE:
        return i->w;
    case E_INPUT:
        return input_at(at & (e->n ? 15 : 255));
    case E_MEMORY:
        return p->m[at & 7];
    case E_BYTE:
        return p->bytes[at & 7];
    case E_OWN:
        return p->own[at & 1];
    case E_CHOICE:
        return at & 1 ? eval(e->b, i) : eval(e->c, i);
    case E_FUNCTION:
        return functions[e->n].run(at, eval(e->b, i));
    case E_BINARY:
        break;
    }
    return binary(e->op, at, eval(e->b, i));
}

static void atomic(const struct stmt *s, struct item *i, const struct group *g) {
    uint32_t *cells = s->k & 1 ? g->cells : g->local_cells;
    if (s->kind == S_TICKET) {
        cells[OPS * 4] += cells[OPS * 4 + 1]++;
        return;
    }
    uint32_t *cell = &cells[s->n * 4 + (eval(s->f, i) & 3)], x = eval(s->e, i);
    *cell = s->n == 0   ? *cell + x
            : s->n == 1 ? *cell ^ x
            : s->n == 2 ? *cell | x
            : s->n == 3 ? (x > *cell ? x : *cell)
                        : (x < *cell ? x : *cell);
}

static bool assign(const struct stmt *s, struct item *i) {
    uint32_t x = eval(s->e, i), at = eval(s->f, i);
    switch (s->kind) {
    case S_SET:
        i->v[s->n] = x;
        return true;
    case S_SET_UNIFORM:
        i->u[s->n] = x;
        return true;
    case S_SET_ARRAY:
        i->a[at & 7] = x;
        return true;
    case S_SET_POINTER:
        (i->v[s->n] & 1 ? i->a : i->b)[(at & 3) + (s->k & 3)] = x;
        return true;
    case S_SET_VOLATILE:
        i->w = x;
        return true;
    case S_SET_MEMORY:
        i->place->m[at & 7] = x;
        return true;
    case S_SET_BYTE:
        i->place->bytes[at & 7] = (uint8_t)x;
        return true;
    case S_SET_OWN:
        i->place->own[at & 1] = (uint16_t)x;
        return true;
    default:
        return false;
    }
}

static void start(struct item *i, struct place *p) {
    uint32_t l = p->names[NAME_L], lx = p->names[NAME_LX];
    memset(i, 0, sizeof *i);
    i->place = p;
    i->w = 3;
    for (uint32_t j = 0; j < ARRAY; j++)
        i->a[j] = j * l, i->b[j] = j + lx;
    for (uint32_t v = 1; v < VARIABLES; v++)
        i->v[v] = l * v + 7;
    for (uint32_t u = 1; u < UNIFORMS; u++)
        i->u[u] = u + p->names[NAME_GROUP];
}

static uint32_t result(const struct item *i) {
    return i->v[0] + i->v[1] * 3 + i->a[i->v[2] & 7] + i->b[i->v[3] & 7];
}

/* ---- item by item ---- */

static enum flow run_item(const struct stmt *s, struct item *i, const struct group *g);

/* Whether the loop's condition, before the first trip or after one, lets the item in. */
static bool goes_on(const struct stmt *s, struct item *i, bool first) {
    uint32_t *t = &i->t[s->depth];
    *t = first ? 0 : s->kind == S_WHILE ? *t : *t + 1;
    switch (s->kind) {
    case S_DO:
        return first || *t < (eval(s->e, i) & 3);
    case S_WHILE:
        if ((eval(s->e, i) & 3) == 3 || *t >= 5)
            return false;
        ++*t;
        return true;
    default:
        return *t < (eval(s->e, i) & (s->uniform ? 3 : 7));
    }
}

static enum flow loop_item(const struct stmt *s, struct item *i, const struct group *g) {
    for (bool first = true; goes_on(s, i, first); first = false) {
        enum flow flow = run_item(s->kid[0], i, g);
        if (flow == FLOW_BREAK)
            break;
        if (flow == FLOW_RETURN)
            return flow;
    }
    return FLOW_ON;
}

static enum flow switch_item(const struct stmt *s, struct item *i, const struct group *g) {
    for (uint32_t b = eval(s->e, i) & 3; b < 4; b++) {
        enum flow flow = run_item(s->kid[b], i, g);
        if (flow != FLOW_ON || !(s->k >> b & 1))
            return flow;
    }
    return FLOW_ON;
}

/* Runs a statement without barriers for one item. */
static enum flow run_item(const struct stmt *s, struct item *i, const struct group *g) {
    enum flow flow = FLOW_ON;
    struct item callee;
    switch (s->kind) {
    case S_BLOCK:
        for (const struct stmt *k = s->kid[0]; k && flow == FLOW_ON; k = k->next)
            flow = run_item(k, i, g);
        return flow;
    case S_IF:
        return eval(s->e, i) & 1 ? run_item(s->kid[0], i, g) : s->k & 1 ? run_item(s->kid[1], i, g) : FLOW_ON;
    case S_LOOP:
    case S_WHILE:
    case S_DO:
        return loop_item(s, i, g);
    case S_SWITCH:
        return switch_item(s, i, g);
    case S_BREAK:
        return eval(s->e, i) % 3 == 0 ? FLOW_BREAK : FLOW_ON;
    case S_CONTINUE:
        return eval(s->e, i) % 3 == 0 ? FLOW_CONTINUE : FLOW_ON;
    case S_RETURN:
        return eval(s->e, i) % 3 == 0 ? FLOW_RETURN : FLOW_ON;
    case S_ATOMIC:
    case S_TICKET:
        atomic(s, i, g);
        return FLOW_ON;
    case S_CALL_ITEM:
        start(&callee, i->place);
        callee.v[0] = i->v[s->k % VARIABLES];
        callee.u[0] = i->u[0];
        run_item(g->program->items[s->n], &callee, g);
        i->v[s->k % VARIABLES] = result(&callee);
        return FLOW_ON;
    default:
        if (!assign(s, i))
            abort();
        return FLOW_ON;
    }
}

/* ---- in lockstep ---- */

static enum flow run(const struct stmt *s, struct group *g);

static enum flow run_loop(const struct stmt *s, struct group *g) {
    for (bool first = true;; first = false) {
        bool on = false;
        for (uint32_t i = 0; i < g->n; i++)
            on = goes_on(s, &g->items[i], first);
        enum flow flow = on ? run(s->kid[0], g) : FLOW_BREAK;
        if (flow == FLOW_BREAK || flow == FLOW_RETURN)
            return flow == FLOW_BREAK ? FLOW_ON : flow;
    }
}

static void run_guarded(const struct stmt *s, struct group *g) {
    uint32_t common = s->k % 3 + 1;
    for (uint32_t i = 0; i < g->n; i++)
        g->items[i].end[s->depth] = common + (eval(s->e, &g->items[i]) & 3);
    for (uint32_t t = 0; t < common; t++) {
        for (uint32_t i = 0; i < g->n; i++)
            g->items[i].t[s->depth] = t;
        run(s->kid[0], g);
    }
    for (uint32_t i = 0; i < g->n; i++) {
        struct item *item = &g->items[i];
        for (uint32_t t = common; t < item->end[s->depth]; t++) {
            item->t[s->depth] = t;
            if (run_item(s->kid[1], item, g) == FLOW_BREAK)
                break;
        }
    }
}

bool interpret_fault_matters;

static void note_fault(const struct stmt *s, const struct group *g) {
    bool meets = s->kind != S_EXCHANGE || (s->k + 1) % g->n; /* an exchange with oneself */
    interpret_fault_matters |= s == g->program->faulty && g->n > 1 && meets;
}

static void run_exchange(const struct stmt *s, struct group *g) {
    note_fault(s, g);
    uint32_t slot[MAX_GROUP];
    for (uint32_t i = 0; i < g->n; i++)
        slot[i] = eval(s->e, &g->items[i]);
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t *v = &g->items[i].v[s->n], got = slot[(i + s->k + 1) % g->n];
        *v = s->k & 1 ? got : *v + got;
    }
}

static void run_shared(const struct stmt *s, struct group *g) {
    uint32_t value = 0;
    note_fault(s, g);
    if (s->kind == S_BROADCAST)
        value = eval(s->e, &g->items[eval(s->f, g->items) % g->n]);
    for (uint32_t i = 0; i < g->n && s->kind == S_COUNT; i++)
        value += eval(s->e, &g->items[i]);
    for (uint32_t i = 0; i < g->n; i++)
        if (s->kind == S_BROADCAST)
            g->items[i].u[s->n] = value;
        else
            g->items[i].v[s->n] ^= value;
}

static enum flow run_switch(const struct stmt *s, struct group *g) {
    for (uint32_t b = eval(s->e, g->items) & 3; b < 4; b++) {
        enum flow flow = run(s->kid[b], g);
        if (flow != FLOW_ON || !(s->k >> b & 1))
            return flow;
    }
    return FLOW_ON;
}

static void run_call(const struct stmt *s, struct group *g) {
    struct item items[MAX_GROUP];
    struct group callee = *g;
    callee.items = items;
    for (uint32_t i = 0; i < g->n; i++) {
        start(&items[i], g->items[i].place);
        items[i].v[0] = g->items[i].v[s->k % VARIABLES];
        items[i].u[0] = g->items[i].u[0];
    }
    run(g->program->helpers[s->n], &callee);
    for (uint32_t i = 0; i < g->n; i++)
        g->items[i].v[s->k % VARIABLES] = result(&items[i]);
}

/* Runs a statement for the whole group. */
static enum flow run(const struct stmt *s, struct group *g) {
    enum flow flow = FLOW_ON;
    switch (s->uniform ? s->kind : S_SET) {
    case S_BLOCK:
        for (const struct stmt *k = s->kid[0]; k && flow == FLOW_ON; k = k->next)
            flow = run(k, g);
        return flow;
    case S_EXCHANGE:
        run_exchange(s, g);
        return FLOW_ON;
    case S_BROADCAST:
    case S_COUNT:
        run_shared(s, g);
        return FLOW_ON;
    case S_BARRIER:
        return FLOW_ON;
    case S_IF:
        return eval(s->e, g->items) & 1 ? run(s->kid[0], g) : s->k & 1 ? run(s->kid[1], g) : FLOW_ON;
    case S_LOOP:
    case S_WHILE:
    case S_DO:
        return run_loop(s, g);
    case S_GUARDED:
        run_guarded(s, g);
        return FLOW_ON;
    case S_SWITCH:
        return run_switch(s, g);
    case S_CALL:
        run_call(s, g);
        return FLOW_ON;
    default: /* item by item; uniform breaks and returns are the same for all */
        for (uint32_t i = 0; i < g->n; i++)
            flow = run_item(s, &g->items[i], g);
        return s->uniform ? flow : FLOW_ON;
    }
}

/* ---- launches ---- */

static uint32_t hash_of(const struct item *i, const uint32_t *local_cells) {
    const struct place *p = i->place;
    uint32_t hash = i->w + p->own[0] + p->own[1] * 5u;
    for (int j = 0; j < ARRAY; j++)
        hash = hash * 31 + (i->a[j] ^ i->b[j] * 3) + p->m[j] + p->bytes[j];
    for (int j = 0; j < CELLS; j++)
        hash = hash * 7 + local_cells[j];
    return hash;
}

static void run_group(const struct program *p, const struct shape *shape, const uint32_t at[3], uint32_t *out,
                      uint32_t *cells) {
    static struct item items[MAX_GROUP];
    static struct place places[MAX_GROUP];
    uint32_t local_cells[CELLS] = {0}, size[3], id[3];
    struct group g = {p, items, 1, local_cells, cells};
    for (int d = 0; d < 3; d++) {
        uint32_t left = shape->global[d] - at[d] * shape->local[d];
        size[d] = left < shape->local[d] ? left : shape->local[d];
        g.n *= size[d];
    }
    memset(places, 0, sizeof places);
    for (uint32_t i = 0; i < g.n; i++) {
        uint32_t l[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
        for (int d = 0; d < 3; d++)
            id[d] = at[d] * shape->local[d] + l[d];
        uint32_t linear = (id[2] * shape->global[1] + id[1]) * shape->global[0] + id[0];
        uint32_t names[NAMES] = {g.n,    at[0] + at[1] * 8,       shape->argument, i, l[0], l[1],
                                 linear, id[0] + shape->offset[0]};
        memcpy(places[i].names, names, sizeof names);
        places[i].own[0] = (uint16_t)i;
        start(&items[i], &places[i]);
        items[i].v[0] = names[NAME_GX];
        items[i].u[0] = 5;
    }
    run(p->body, &g);
    uint32_t hashes[MAX_GROUP];
    for (uint32_t i = 0; i < g.n; i++)
        hashes[i] = hash_of(&items[i], local_cells);
    for (uint32_t i = 0; i < g.n; i++) {
        uint32_t hash = hashes[i];
        if (run_item(p->tail, &items[i], &g) != FLOW_RETURN) {
            for (uint32_t v = 0; v < VARIABLES; v++)
                hash += items[i].v[v] * (v * 2 + 1);
            for (uint32_t u = 0; u < UNIFORMS; u++)
                hash += items[i].u[u] * (u + 100);
        }
        out[places[i].names[NAME_ID]] = hash;
    }
}

void interpret(const struct program *p, const struct shape *shape, uint32_t *out, uint32_t *cells) {
    uint32_t groups[3], at[3];
    memset(cells, 0, CELLS * sizeof *cells);
    interpret_fault_matters = false;
    for (int d = 0; d < 3; d++)
        groups[d] = (shape->global[d] + shape->local[d] - 1) / shape->local[d];
    for (at[2] = 0; at[2] < groups[2]; at[2]++)
        for (at[1] = 0; at[1] < groups[1]; at[1]++)
            for (at[0] = 0; at[0] < groups[0]; at[0]++)
                run_group(p, shape, at, out, cells);
}
