/* generate.c: a seed to a random program and its launch. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

static uint64_t random_state;
static char arena[1 << 22];
static size_t arena_used;
static unsigned statements_left, functions_left; /* that nest; that are called: programs stay small */

uint32_t roll(uint32_t n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 33) % n;
}

static void *make(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (arena_used + size > sizeof arena)
        abort();
    void *p = memset(arena + arena_used, 0, size);
    arena_used += size;
    return p;
}

struct frame {         /* where a statement is generated */
    int level;         /* nesting left */
    unsigned loops;    /* enclosing loops: valid depths of E_LOOP */
    bool uniform;      /* barriers allowed; conditions must be uniform */
    bool in_loop;      /* break and continue allowed */
    bool may_return;   /* in a function that returns a number, or after the last barrier */
    bool helper, item; /* in a helper: doesn't call one of its kind */
};

static struct expr *leaf(enum expr_kind kind, uint32_t n) {
    struct expr *e = make(sizeof *e);
    e->kind = kind;
    e->n = n;
    return e;
}

static struct expr *binary_of(char op, struct expr *a, struct expr *b) {
    struct expr *e = leaf(E_BINARY, 0);
    e->op = op;
    e->a = a;
    e->b = b;
    return e;
}

/* An id whose bits reach the sign, perhaps plus something that work-items share, compared, extended or shifted back. */
static struct expr *high_bits_of_id(unsigned loops) {
    static const enum name ids[] = {NAME_LX, NAME_LX, NAME_LX, NAME_L, NAME_GX};
    static const uint32_t edges[] = {0,          0,          0,          0,          0xffffffff,
                                     0xffffffff, 0x80000000, 0x40000000, 0xc0000000, 0x7fffffff};
    uint32_t by = 25 + roll(7);
    struct expr *id = leaf(E_NAME, ids[roll(5)]);
    struct expr *x =
        roll(3) ? binary_of('l', id, leaf(E_CONSTANT, by)) : binary_of('*', id, leaf(E_CONSTANT, 1u << by));
    if (!roll(4))
        x = binary_of('+', x, roll(2) ? leaf(E_CONSTANT, edges[roll(10)]) : leaf(E_U, roll(UNIFORMS)));
    if (loops && !roll(4))
        x = binary_of('+', x, leaf(E_LOOP, roll(loops)));
    char op = "sssssss<>&arxw"[roll(14)];
    bool shifts = op == 'a' || op == 'r' || op == 'x';
    struct expr *y = shifts    ? leaf(E_CONSTANT, roll(64))
                     : roll(3) ? leaf(E_CONSTANT, edges[roll(10)])
                               : leaf(E_U, roll(UNIFORMS));
    struct expr *e = roll(4) || shifts ? binary_of(op, x, y) : binary_of(op, y, x);
    if (!roll(3))
        return e;
    e = binary_of(0, e, x); /* used twice and chosen by, a compare stays what it is */
    e->kind = E_CHOICE;
    e->c = leaf(roll(2) ? E_U : E_V, roll(UNIFORMS));
    return e;
}

static struct expr *random_expr(bool uniform, unsigned loops, int level) {
    static const enum expr_kind leaves[] = {
        E_CONSTANT, E_U, E_U, E_NAME, E_NAME, E_LOOP,    E_LOOP,     E_INPUT, /* uniform ones end here */
        E_V,        E_V, E_V, E_A,    E_A,    E_POINTER, E_VOLATILE, E_MEMORY, E_BYTE, E_OWN, E_NAME, E_NAME,
    };
    if (!uniform && level > 0 && !roll(7))
        return high_bits_of_id(loops);
    struct expr *e = make(sizeof *e);
    if (level > 0 && roll(10) < 7) {
        uint32_t which = roll(10);
        bool calls = which == 9 && functions_left > 0;
        functions_left -= calls;
        e->kind = calls ? E_FUNCTION : which < 7 ? E_BINARY : E_CHOICE;
        e->op = "+-*^&|<>/%lrsdaLunwbx"[roll(21)];
        e->n = roll(nfunctions);
        e->a = random_expr(uniform, loops, level - 1);
        e->b = random_expr(uniform, loops, level - 1);
        if (e->kind == E_CHOICE)
            e->c = random_expr(uniform, loops, level - 1);
        return e;
    }
    e->kind = leaves[roll(uniform ? 8 : 20)];
    if (e->kind == E_LOOP && !loops)
        e->kind = E_CONSTANT;
    switch (e->kind) {
    case E_CONSTANT:
        e->n = roll(8) ? roll(100) : 0u - roll(100);
        break;
    case E_V:
        e->n = roll(VARIABLES);
        break;
    case E_U:
        e->n = roll(UNIFORMS);
        break;
    case E_LOOP:
        e->n = roll(loops);
        break;
    case E_NAME:
        e->n = roll(uniform ? UNIFORM_NAMES : NAMES);
        break;
    default:
        e->n = !roll(3);
        e->a = random_expr(uniform, loops, level > 0 ? 1 : 0);
        e->b = e->kind == E_POINTER ? random_expr(uniform, loops, 0) : NULL;
    }
    return e;
}

static struct stmt *random_block(struct frame f, int length);

static enum stmt_kind random_kind(const struct frame *f) {
    static const enum stmt_kind apart[] = {
        S_SET,      S_SET,     S_SET,    S_SET_ARRAY, S_SET_POINTER, S_SET_VOLATILE, S_SET_MEMORY,
        S_SET_BYTE, S_SET_OWN, S_ATOMIC, S_TICKET,    S_IF,          S_IF,           S_LOOP,
        S_WHILE,    S_DO,      S_SWITCH, S_BREAK,     S_CONTINUE,    S_RETURN,       S_CALL_ITEM};
    static const enum stmt_kind together[] = {
        S_SET,      S_SET_UNIFORM, S_SET_ARRAY, S_SET_POINTER, S_SET_MEMORY, S_SET_OWN, S_ATOMIC,
        S_EXCHANGE, S_EXCHANGE,    S_BROADCAST, S_BARRIER,     S_COUNT,      S_IF,      S_IF,
        S_IF,       S_LOOP,        S_LOOP,      S_WHILE,       S_DO,         S_GUARDED, S_SWITCH,
        S_BREAK,    S_CONTINUE,    S_CALL,      S_CALL_ITEM,   S_RETURN};
    enum stmt_kind kind = f->uniform ? together[roll(26)] : apart[roll(21)];
    bool nests = kind == S_IF || kind == S_LOOP || kind == S_WHILE || kind == S_DO || kind == S_GUARDED ||
                 kind == S_SWITCH;
    bool refused = (nests && (f->level == 0 || !statements_left || f->loops + 1 >= LOOPS)) ||
                   ((kind == S_BREAK || kind == S_CONTINUE) && !f->in_loop) ||
                   (kind == S_RETURN && !f->may_return) || (kind == S_CALL && f->helper) ||
                   (kind == S_CALL_ITEM && f->item);
    statements_left -= nests && !refused;
    return refused ? S_SET : kind;
}

static bool has_uniform_condition(const struct stmt *s) {
    switch (s->kind) {
    case S_SET_UNIFORM:
    case S_IF:
    case S_LOOP:
    case S_WHILE:
    case S_DO:
    case S_SWITCH:
    case S_BREAK:
    case S_CONTINUE:
    case S_RETURN:
        return s->uniform;
    default:
        return false;
    }
}

static struct stmt *random_stmt(struct frame f) {
    struct stmt *s = make(sizeof *s);
    s->kind = random_kind(&f);
    bool loop = s->kind == S_LOOP || s->kind == S_DO || s->kind == S_GUARDED || s->kind == S_WHILE;
    /* A divergent conditional or loop inside uniform code: barriers end there. */
    bool may_part = s->kind == S_IF || s->kind == S_SWITCH || (loop && s->kind != S_GUARDED);
    s->uniform = f.uniform && (!may_part || roll(3) > 0);
    s->n = roll(s->kind == S_SET_UNIFORM || s->kind == S_BROADCAST ? UNIFORMS
                : s->kind == S_CALL || s->kind == S_CALL_ITEM      ? HELPERS
                : s->kind == S_ATOMIC                              ? OPS
                                                                   : VARIABLES);
    s->k = roll(8);
    s->depth = f.loops;
    struct frame in = f;
    in.level--;
    in.uniform = s->uniform;
    in.loops += loop;
    in.may_return &= s->uniform == f.uniform; /* not from divergent code in front of a barrier */
    in.in_loop = (loop || (f.in_loop && s->kind == S_IF && s->uniform == f.uniform));
    s->e = random_expr(has_uniform_condition(s), f.loops, 2);
    s->f = random_expr(s->kind == S_BROADCAST || (s->kind == S_ATOMIC && s->k & 2), f.loops, 1);
    if (s->kind == S_GUARDED) { /* the tail runs for items with more trips, without barriers */
        in.in_loop = in.may_return = false;
        s->kid[0] = random_block(in, 2);
        in.uniform = false;
        in.in_loop = true;
        s->kid[1] = random_block(in, 2);
    } else if (loop || s->kind == S_IF || s->kind == S_SWITCH) {
        for (int b = 0; b < (s->kind == S_SWITCH ? 4 : s->kind == S_IF ? 2 : 1); b++)
            s->kid[b] = random_block(in, 1 + (int)roll(3));
    }
    return s;
}

static struct stmt *random_block(struct frame f, int length) {
    struct stmt *block = make(sizeof *block), **at = &block->kid[0];
    block->kind = S_BLOCK;
    block->uniform = f.uniform;
    for (int n = 0; n < length; n++, at = &(*at)->next)
        *at = random_stmt(f);
    return block;
}

static void find_shares(const struct stmt *s, const struct stmt **found, uint32_t *n) {
    for (; s; s = s->next) {
        bool shares = s->kind == S_EXCHANGE || s->kind == S_BROADCAST || s->kind == S_COUNT;
        if (shares && roll(++*n) == 0)
            *found = s;
        for (int b = 0; b < 4; b++)
            find_shares(s->kid[b], found, n);
    }
}

const struct stmt *shares_roll(const struct program *p) {
    const struct stmt *found = NULL;
    uint32_t n = 0;
    find_shares(p->body, &found, &n);
    return found;
}

void generate(uint64_t seed, struct program *p) {
    random_state = seed * 0x9e3779b97f4a7c15u + 1;
    arena_used = 0;
    p->faulty = NULL;
    p->fault = FAULT_NONE;
    for (int i = 0; i < 8; i++)
        roll(2);
    p->dims = roll(2) ? 1 : 1 + roll(3);
    p->offset = !roll(4);
    functions_left = 1 + roll(3);
    for (int h = 0; h < HELPERS; h++) {
        statements_left = 2;
        struct frame helper = {.level = 1, .uniform = true, .may_return = true, .helper = true};
        struct frame item = {.level = 2, .may_return = true, .helper = true, .item = true};
        p->helpers[h] = random_block(helper, 3);
        p->items[h] = random_block(item, 3);
    }
    statements_left = 3 + roll(6);
    functions_left += 2;
    p->body = random_block((struct frame){.level = 3, .uniform = true}, 2 + (int)roll(4));
    statements_left = 2;
    p->tail = random_block((struct frame){.level = 2, .may_return = true}, 2);
}

void shape_roll(const struct program *p, bool must_divide, struct shape *s) {
    static const uint32_t globals[][3] = {{300, 1, 1}, {20, 15, 1}, {10, 6, 5}};
    static const uint32_t locals[3][10][3] = {
        {{1, 1, 1},
         {3, 1, 1},
         {10, 1, 1},
         {30, 1, 1},
         {60, 1, 1},
         {150, 1, 1},
         {100, 1, 1},
         {7, 1, 1},
         {64, 1, 1},
         {256, 1, 1}},
        {{4, 3, 1},
         {20, 3, 1},
         {5, 5, 1},
         {10, 15, 1},
         {1, 15, 1},
         {20, 5, 1},
         {2, 3, 1},
         {7, 2, 1},
         {16, 15, 1},
         {8, 4, 1}},
        {{5, 3, 5},
         {10, 2, 1},
         {2, 3, 5},
         {10, 6, 1},
         {1, 2, 5},
         {5, 2, 1},
         {10, 3, 5},
         {3, 2, 2},
         {8, 4, 4},
         {4, 6, 1}},
    };
    memset(s, 0, sizeof *s);
    memcpy(s->global, globals[p->dims - 1], sizeof s->global);
    memcpy(s->local, locals[p->dims - 1][roll(must_divide ? 7 : 10)], sizeof s->local);
    for (uint32_t d = 0; d < p->dims; d++)
        s->offset[d] = p->offset ? roll(2) ? roll(300) : 0x7ffffff0u + roll(8) : 0;
    s->argument = roll(50);
}
