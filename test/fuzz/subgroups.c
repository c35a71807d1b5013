/* subgroups.c: random kernels of sub-group functions, run on the device and by a plain interpreter.
 *
 * A program is a tree of statements over variables v of each work-item. Conditions and loops differ per work-item, or
 * per sub-group; functions and barriers that all of a sub-group must reach stand only where it is together, non-uniform
 * functions anywhere; work-items leave only loops that they need not run together, one or several at once, by code that
 * calls such functions, too. Where sub-groups make independent
 * progress they also wait for each other. The interpreter runs each sub-group in step, with the set of work-items that
 * came along: what stands in a loop's body runs in each round, also before a jump out of it.
 * In: FUZZ_SEED (first seed, default 1), FUZZ_COUNT (programs, default 60, 6 with WEIR_TEST_QUICK). Out: exit code 1
 * and the source of the first program whose result differs; 77 where the device has no sub-groups.
 */
#include "device.h"
#include "session.h"
#include "source.h"

enum { VARIABLES = 5, MAX_GROUP = 256, GROUPS = 2, WIDEST = 64, MAX_LOOPS = 4 };

enum expr_kind { E_CONSTANT, E_V, E_LANE, E_ID, E_SIZE, E_G, E_LOOP, E_BINARY };
struct expr {
    enum expr_kind kind;
    uint32_t n;
    char op;
    struct expr *a, *b;
};

/* What a function of sub-groups computes of the values x of the `n` work-items that call it, for the i-th one; the
 * arrays hold them in the order of their lanes. */
typedef uint32_t function_fn(const uint32_t *x, const uint32_t *lane, unsigned n, unsigned i);

enum stmt_kind {
    S_SET,
    S_CALL,
    S_SHUFFLE,
    S_BROADCAST,
    S_EXCHANGE,
    S_GROUP_EXCHANGE,
    S_SPIN, /* takes rounds enough for other sub-groups to run meanwhile, in a loop that might wait for them */
    S_TURN, /* sub-groups go on one after the other, the last one first */
    S_IF,
    S_LOOP,
    S_BREAK,
    S_LEAVE, /* several loops at once */
    S_CONTINUE
};
enum form { FOR, WITHOUT_CONDITION, WITH_FLAG, DO_WHILE, FORMS }; /* of a loop, which all do the same */
struct stmt {
    enum stmt_kind kind;
    unsigned v, n, function; /* result, a number, index in `functions` */
    unsigned level, id;      /* of the loop that it is, or leaves; its label */
    enum form form;
    struct expr *e, *f;
    struct stmt *body, *other, *next;
};

/* ---- functions ------------------------------------------------------------------------------------------------------ */

#define FOLD(name, start, step)                                                                              \
    static uint32_t name(const uint32_t *x, const uint32_t *lane, unsigned n, unsigned i) {                  \
        uint64_t r = start;                                                                                  \
        (void)lane;                                                                                          \
        (void)i;                                                                                             \
        for (unsigned k = 0; k < n; k++)                                                                     \
            step;                                                                                            \
        return (uint32_t)r;                                                                                  \
    }
#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define MORE(a, b) ((a) > (b) ? (a) : (b))
FOLD(add, 0, r += x[k])
FOLD(add_char, 0, r = (uint8_t)(r + x[k]))
FOLD(times, 1, r *= x[k] | 1)
FOLD(smallest, UINT32_MAX, r = LESS(r, x[k]))
FOLD(smallest_int, INT32_MAX, r = (uint64_t)(int64_t)LESS((int32_t)r, (int32_t)x[k]))
FOLD(largest_short, 0, r = MORE(r, (uint16_t)x[k]))
FOLD(exclusive_or, 0, r ^= x[k])
FOLD(all_bits, UINT32_MAX, r &= x[k])
FOLD(up_to, 0, r += k <= i ? x[k] : 0)
FOLD(before, 0, r += k < i ? x[k] : 0)
FOLD(largest_before, 0, r = k < i ? MORE(r, x[k]) : r)
FOLD(smallest_up_to, UINT64_MAX, r = k <= i ? LESS(r, x[k]) : r)
FOLD(count, 0, r += x[k] & 1)
FOLD(first, x[0], r = x[0])
FOLD(is_first, 0, r = i == 0)
FOLD(is_equal, 1, r &= (x[k] & 3) == (x[0] & 3))
FOLD(some, 0, r |= x[k] % 3 == 0)
FOLD(every, 1, r &= x[k] % 3 != 0)
FOLD(odd, 0, r ^= x[k] & 1)
FOLD(lanes, 0, r |= 1u << lane[k] % 32)
FOLD(of_four, 0, r += lane[k] / 4 == lane[i] / 4 ? x[k] : 0)

static const struct function {
    const char *format; /* of x */
    function_fn *compute;
    bool together; /* all of the sub-group must call it */
    bool wide;     /* needs sub-groups of four at least */
} functions[] = {
    {"sub_group_reduce_add(%s)", add, true, false},
    {"sub_group_reduce_min(%s)", smallest, true, false},
    {"sub_group_scan_exclusive_add(%s)", before, true, false},
    {"sub_group_scan_inclusive_add(%s)", up_to, true, false},
    {"(sub_group_any((%s) %% 3 == 0) != 0)", some, true, false},
    {"(sub_group_all((%s) %% 3) != 0)", every, true, false},
    {"sub_group_non_uniform_reduce_add(%s)", add, false, false},
    {"sub_group_non_uniform_reduce_add((uchar)(%s))", add_char, false, false},
    {"(uint)sub_group_non_uniform_reduce_mul((ulong)(%s) | 1)", times, false, false},
    {"sub_group_non_uniform_reduce_min(%s)", smallest, false, false},
    {"(uint)sub_group_non_uniform_reduce_min((int)(%s))", smallest_int, false, false},
    {"sub_group_non_uniform_reduce_max((ushort)(%s))", largest_short, false, false},
    {"sub_group_non_uniform_reduce_xor(%s)", exclusive_or, false, false},
    {"sub_group_non_uniform_reduce_and(%s)", all_bits, false, false},
    {"sub_group_non_uniform_scan_inclusive_add(%s)", up_to, false, false},
    {"sub_group_non_uniform_scan_exclusive_add(%s)", before, false, false},
    {"sub_group_non_uniform_scan_exclusive_max(%s)", largest_before, false, false},
    {"(uint)sub_group_non_uniform_scan_inclusive_min((ulong)(%s))", smallest_up_to, false, false},
    {"sub_group_ballot_bit_count(sub_group_ballot((%s) & 1))", count, false, false},
    {"sub_group_broadcast_first(%s)", first, false, false},
    {"((%s) * 0 + (sub_group_elect() != 0))", is_first, false, false},
    {"(sub_group_non_uniform_all_equal((%s) & 3) != 0)", is_equal, false, false},
    {"(sub_group_non_uniform_any((%s) %% 3 == 0) != 0)", some, false, false},
    {"(sub_group_non_uniform_all((%s) %% 3) != 0)", every, false, false},
    {"(sub_group_non_uniform_reduce_logical_xor((%s) & 1) != 0)", odd, false, false},
    {"lanes_of(sub_group_ballot(((%s) | 1) != 0))", lanes, false, false},
    {"sub_group_clustered_reduce_add(%s, 4)", of_four, false, true},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- making programs -------------------------------------------------------------------------------------------------- */

static uint32_t pick(uint32_t n) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static bool wide;  /* the program requires sub-groups of four or more */
static bool waits; /* it has statements in which sub-groups wait */

/* (int)(lane << n) < c, or >> c: the lane's bits reach the sign. */
static struct expr *make_high_bits(void) {
    struct expr *e = calloc(5, sizeof *e);
    bool compares = pick(3);
    e[0] = (struct expr){E_BINARY, 0, compares ? 's' : 'a', &e[1], &e[2]};
    e[1] = (struct expr){E_BINARY, 0, 'l', &e[3], &e[4]};
    e[2].n = compares ? pick(4) << 30 : pick(32);
    e[3].kind = pick(3) ? E_LANE : E_G;
    e[4].n = 24 + pick(8);
    return e;
}

static struct expr *make_expr(unsigned depth, unsigned loops) {
    if (depth && !pick(8))
        return make_high_bits();
    struct expr *e = calloc(1, sizeof *e);
    if (depth && pick(3)) {
        *e = (struct expr){E_BINARY, 0, "+-*^&|<=lsa"[pick(11)], make_expr(depth - 1, loops),
                           make_expr(depth - 1, loops)};
        return e;
    }
    e->kind = (enum expr_kind)pick(loops ? 7 : 6);
    e->n = e->kind == E_V ? pick(VARIABLES) : e->kind == E_LOOP ? pick(loops) : pick(9);
    return e;
}

/* The same for all of a sub-group. */
static struct expr *make_uniform(void) {
    struct expr *e = calloc(1, sizeof *e), *id = calloc(1, sizeof *e), *n = calloc(1, sizeof *e);
    id->kind = pick(3) ? E_ID : E_SIZE;
    n->n = 1 + pick(5);
    *e = (struct expr){E_BINARY, 0, "+^*&"[pick(4)], id, n};
    return e;
}

static struct stmt *around[MAX_LOOPS]; /* by level: the loop that is being made, or written */
static unsigned outermost;             /* that work-items need not run together */
static unsigned labels;

static struct stmt *make_block(unsigned depth, unsigned loops, bool together, bool top, bool in_loop);

static bool is_jump(const struct stmt *s) {
    return s->kind == S_BREAK || s->kind == S_LEAVE || s->kind == S_CONTINUE;
}

/* A loop's body, or a branch's; a jump's is what goes before it. */
static void make_bodies(struct stmt *s, unsigned depth, unsigned loops, bool together, bool in_loop) {
    bool uniform = together && pick(2);
    if (is_jump(s)) {
        s->level = s->kind == S_LEAVE ? outermost + pick(loops - outermost) : loops - 1;
        s->id = around[s->level]->id;
        s->body = depth && pick(2) ? make_block(depth - 1, loops, false, false, true) : NULL;
        return;
    }
    if (s->kind != S_IF && s->kind != S_LOOP)
        return;
    s->e = uniform ? make_uniform() : s->e;
    if (s->kind == S_IF) {
        s->body = make_block(depth - 1, loops, uniform, false, in_loop);
        s->other = pick(2) ? make_block(depth - 1, loops, uniform, false, in_loop) : NULL;
        return;
    }
    s->level = loops;
    s->id = labels++;
    s->form = (enum form)pick(FORMS);
    around[loops] = s;
    outermost = !in_loop && !uniform ? loops : outermost;
    s->body = make_block(depth - 1, loops + 1, uniform, false, !uniform);
}

static struct stmt *make_stmt(unsigned depth, unsigned loops, bool together, bool top, bool in_loop) {
    struct stmt *s = calloc(1, sizeof *s);
    static const enum stmt_kind kinds[] = {
        S_SET,       S_SET,      S_CALL, S_CALL, S_CALL,           S_SHUFFLE, S_IF,
        S_BROADCAST, S_EXCHANGE, S_IF,   S_LOOP, S_GROUP_EXCHANGE, S_IF,      S_LOOP,
        S_BREAK,     S_CONTINUE, S_SPIN, S_SPIN, S_TURN,           S_BREAK,   S_LEAVE};
    s->kind = kinds[pick(sizeof kinds / sizeof *kinds)];
    if (((s->kind == S_SHUFFLE || s->kind == S_BROADCAST || s->kind == S_EXCHANGE) && !together) ||
        ((s->kind == S_GROUP_EXCHANGE || s->kind == S_TURN) && !top) ||
        ((s->kind == S_SPIN || s->kind == S_TURN) && !waits) ||
        ((s->kind == S_IF || s->kind == S_LOOP) && !depth) || (s->kind == S_LOOP && loops == MAX_LOOPS) ||
        (is_jump(s) && (!in_loop || together)))
        s->kind = S_CALL;
    s->v = pick(VARIABLES);
    s->n = pick(40);
    s->e = make_expr(2, loops);
    s->f = make_expr(1, loops);
    do
        s->function = pick(FUNCTIONS);
    while ((functions[s->function].together && !together) || (functions[s->function].wide && !wide));
    make_bodies(s, depth, loops, together, in_loop);
    return s;
}

static struct stmt *make_block(unsigned depth, unsigned loops, bool together, bool top, bool in_loop) {
    struct stmt *block = NULL, **at = &block;
    for (unsigned n = top ? 6 + pick(6) : 1 + pick(4); n--; at = &(*at)->next)
        *at = make_stmt(depth, loops, together, top, in_loop);
    return block;
}

/* ---- writing them ---------------------------------------------------------------------------------------------------- */

static void put_expr(const struct expr *e) {
    static const char *const names[] = {[E_LANE] = "lane", [E_ID] = "id", [E_SIZE] = "size", [E_G] = "g"};
    if (e->kind == E_CONSTANT)
        put("%uu", e->n);
    else if (e->kind == E_V || e->kind == E_LOOP)
        put("%c%u", e->kind == E_V ? 'v' : 'i', e->n);
    else if (e->kind != E_BINARY)
        put("%s", names[e->kind]);
    else if (e->op == 'l' || e->op == 's' || e->op == 'a') {
        put(e->op == 'l' ? "((" : "(uint)((int)(");
        put_expr(e->a);
        put(e->op == 'l' ? ") << ((" : e->op == 's' ? ") < (int)((" : ") >> ((");
        put_expr(e->b);
        put(e->op == 's' ? ")))" : ") & 31))");
    } else {
        bool compares = e->op == '<' || e->op == '=';
        put(compares ? "(uint)(" : "(");
        put_expr(e->a);
        put(e->op == '=' ? " == " : " %c ", e->op);
        put_expr(e->b);
        put(")");
    }
}

static void put_call(const struct stmt *s) {
    const char *format = functions[s->function].format, *hole = strstr(format, "%s");
    for (const char *c = format; *c; c++)
        if (c == hole) {
            put_expr(s->e);
            c++;
        } else if (*c != '%' || c[1] != '%') {
            put("%c", *c);
        }
}

static void put_block(const struct stmt *s, unsigned loops);

static void put_loop(const struct stmt *s) {
    unsigned l = s->level;
    around[l] = (struct stmt *)s;
    put("{\nuint i%u = 0, o%u = 0, n%u = (", l, l, l);
    put_expr(s->e);
    put(") %% 4;\n");
    if (s->form == DO_WHILE)
        put("if (n%u) do {\n", l);
    else if (s->form == WITHOUT_CONDITION)
        put("for (;; i%u++) {\nif (i%u == n%u) break;\n", l, l, l);
    else
        put(s->form == FOR ? "for (; i%u < n%u; i%u++) {\n" : "for (; i%u < n%u && !o%u; i%u++) {\n", l, l, l,
            l);
    put_block(s->body, l + 1);
    put(s->form == DO_WHILE ? "} while (++i%u < n%u && !o%u);\n" : "}\n", l, l, l);
    put("out%u:;\n}\n", s->id);
}

static void put_jump(const struct stmt *s, unsigned loops) {
    enum form form = around[loops - 1]->form;
    put("if ((");
    put_expr(s->e);
    put(") %% 3 == %u) {\n", s->n % 3);
    put_block(s->body, loops);
    if (s->kind == S_LEAVE)
        put("goto out%u;\n}\n", s->id);
    else if (s->kind == S_BREAK && (form == WITH_FLAG || form == DO_WHILE))
        put("o%u = 1;\ncontinue;\n}\n", loops - 1);
    else
        put(s->kind == S_BREAK ? "break;\n}\n" : "continue;\n}\n");
}

static void put_block(const struct stmt *s, unsigned loops) {
    for (; s; s = s->next) {
        if (s->kind == S_IF) {
            put("if ((");
            put_expr(s->e);
            put(") %% 3 != %u) {\n", s->n % 3);
            put_block(s->body, loops);
            put("} else {\n");
            put_block(s->other, loops);
            put("}\n");
            continue;
        }
        if (s->kind == S_LOOP) {
            put_loop(s);
            continue;
        }
        if (is_jump(s)) {
            put_jump(s, loops);
            continue;
        }
        if (s->kind == S_SPIN) { /* nobody sets the flag */
            put("for (uint t = %uu + (", 20 + s->n);
            put_expr(s->e);
            put(") %% 3 * 9; t > atomic_or(&sync[0], 0); t--)\n;\n");
            continue;
        }
        if (s->kind == S_TURN) {
            put("turn += subgroups;\nif (lane %% 3 == %uu %% 3)\nwhile (sync[1] < turn - 1 - id)\n;\n", s->n);
            put("sub_group_barrier(CLK_LOCAL_MEM_FENCE);\nif (lane == 0)\natomic_inc(&sync[1]);\n");
            put("sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"); /* lanes may not wait for a lane otherwise */
            continue;
        }
        if (s->kind == S_EXCHANGE || s->kind == S_GROUP_EXCHANGE) {
            bool group = s->kind == S_GROUP_EXCHANGE;
            const char *barrier = group ? "barrier" : "sub_group_barrier";
            put("shared[l] = ");
            put_expr(s->e);
            put(";\n%s(CLK_LOCAL_MEM_FENCE);\nv%u += shared[", barrier, s->v);
            put(group ? "(l + %uu) %% items" : "l - lane + (lane + %uu) %% size", s->n);
            put("];\n%s(CLK_LOCAL_MEM_FENCE);\n", barrier);
            continue;
        }
        put("v%u %s ", s->v, s->kind == S_SET ? "=" : "+=");
        if (s->kind == S_CALL)
            put_call(s);
        else if (s->kind != S_SET)
            put("sub_group_%s(", s->kind == S_SHUFFLE ? "shuffle" : "broadcast");
        if (s->kind != S_CALL)
            put_expr(s->e);
        if (s->kind == S_BROADCAST)
            put(", (id + %uu) %% size)", s->n);
        if (s->kind == S_SHUFFLE) {
            put(", (");
            put_expr(s->f);
            put(") %% size)");
        }
        put(";\n");
    }
}

static void put_program(const struct stmt *program, unsigned required) {
    source_begin();
    put("uint lanes_of(uint4 b) { return b.x | b.y; }\n");
    if (required)
        put("__attribute__((intel_reqd_sub_group_size(%u)))\n", required);
    put("kernel void k(global uint *out, local uint *shared) {\n"
        "uint l = get_local_linear_id(), items = get_local_size(0) * get_local_size(1);\n"
        "uint g = get_group_id(0) * items + l, lane = get_sub_group_local_id(), size = "
        "get_sub_group_size(),\n"
        "    id = get_sub_group_id();\n");
    if (waits)
        put("uint subgroups = get_num_sub_groups(), turn = 0;\nlocal volatile uint sync[2];\n"
            "if (l == 0)\nsync[0] = sync[1] = 0;\nbarrier(CLK_LOCAL_MEM_FENCE);\n");
    for (unsigned v = 0; v < VARIABLES; v++)
        put("uint v%u = (g + %uu) * 2654435761u >> 20;\n", v, v * 7);
    put_block(program, 0);
    for (unsigned v = 0; v < VARIABLES; v++)
        put("out[g * %u + %u] = v%u;\n", VARIABLES, v, v);
    put("}\n");
}

/* ---- interpreting them ------------------------------------------------------------------------------------------------- */

struct subgroup {
    uint32_t v[WIDEST][VARIABLES], id, size, first, g,
        loop[MAX_LOOPS]; /* first: its first item's place, g: id */
};

static uint32_t eval(const struct expr *e, const struct subgroup *s, unsigned lane) {
    uint32_t a = e->a ? eval(e->a, s, lane) : 0, b = e->b ? eval(e->b, s, lane) : 0;
    switch (e->kind) {
    case E_CONSTANT:
        return e->n;
    case E_V:
        return s->v[lane][e->n];
    case E_LANE:
        return lane;
    case E_ID:
        return s->id;
    case E_SIZE:
        return s->size;
    case E_G:
        return s->g + lane;
    case E_LOOP:
        return s->loop[e->n];
    default:
        return e->op == '+'   ? a + b
               : e->op == '-' ? a - b
               : e->op == '*' ? a * b
               : e->op == '^' ? a ^ b
               : e->op == '&' ? a & b
               : e->op == '|' ? a | b
               : e->op == '<' ? a < b
               : e->op == 'l' ? a << (b & 31)
               : e->op == 's' ? (int32_t)a < (int32_t)b
               : e->op == 'a' ? (uint32_t)((int32_t)a >> (b & 31))
                              : a == b;
    }
}

static uint64_t where(const struct expr *e, const struct subgroup *s, uint64_t mask, unsigned modulus,
                      unsigned n) {
    uint64_t result = 0;
    for (unsigned i = 0; i < s->size; i++)
        if (mask >> i & 1 && eval(e, s, i) % modulus == n)
            result |= UINT64_C(1) << i;
    return result;
}

struct jumps { /* work-items that left the iteration, and the loops by level */
    uint64_t next, out[MAX_LOOPS];
};

static void run_simple(const struct stmt *s, struct subgroup *g, uint64_t mask) {
    uint32_t x[WIDEST], f[WIDEST], result[WIDEST], packed[WIDEST], lanes_on[WIDEST];
    unsigned n = 0;
    for (unsigned i = 0; i < g->size; i++)
        if (mask >> i & 1) {
            x[i] = eval(s->e, g, i);
            f[i] = eval(s->f, g, i);
            packed[n] = x[i];
            lanes_on[n++] = i;
        }
    for (unsigned i = 0, at = 0; i < g->size; i++) {
        if (!(mask >> i & 1))
            continue;
        result[i] = s->kind == S_SET         ? x[i]
                    : s->kind == S_CALL      ? functions[s->function].compute(packed, lanes_on, n, at)
                    : s->kind == S_SHUFFLE   ? x[f[i] % g->size]
                    : s->kind == S_BROADCAST ? x[(g->id + s->n) % g->size]
                                             : x[(i + s->n) % g->size];
        at++;
    }
    for (unsigned i = 0; i < g->size; i++)
        if (mask >> i & 1)
            g->v[i][s->v] = s->kind == S_SET ? result[i] : g->v[i][s->v] + result[i];
}

static uint64_t run_block(const struct stmt *s, struct subgroup *g, uint64_t mask, unsigned loops,
                          struct jumps *j) {
    for (; s && mask; s = s->next) {
        if (s->kind == S_IF) {
            uint64_t other = where(s->e, g, mask, 3, s->n % 3), body = mask & ~other;
            body = run_block(s->body, g, body, loops, j);
            mask = body | run_block(s->other, g, other, loops, j);
        } else if (s->kind == S_LOOP) {
            uint64_t inside = mask, left[4];
            for (unsigned n = 0; n < 4; n++)
                left[n] = where(s->e, g, mask, 4, n);
            struct jumps mine = {0};
            g->loop[loops] = 0;
            for (unsigned i = 0; (inside &= ~left[i]); i++) {
                mine.next = 0;
                g->loop[loops] = i;
                inside = run_block(s->body, g, inside, loops + 1, &mine) | mine.next;
            }
            for (unsigned l = 0; l < loops; l++) {
                j->out[l] |= mine.out[l];
                mask &= ~mine.out[l];
            }
        } else if (is_jump(s)) {
            uint64_t go = where(s->e, g, mask, 3, s->n % 3);
            mask &= ~go;
            go = run_block(s->body, g, go, loops, j);
            *(s->kind == S_CONTINUE ? &j->next : &j->out[s->level]) |= go;
        } else if (s->kind != S_SPIN && s->kind != S_TURN) {
            run_simple(s, g, mask);
        }
    }
    return mask;
}

static void run_group(const struct stmt *program, uint32_t group, uint32_t row, uint32_t rows, uint32_t most,
                      uint32_t *out) {
    static struct subgroup all[MAX_GROUP];
    unsigned n = 0, items = row * rows;
    for (unsigned y = 0; y < rows; y++)
        for (unsigned x = 0; x < row; x += most, n++) {
            struct subgroup *s = &all[n];
            *s = (struct subgroup){.id = n, .size = row - x < most ? row - x : most, .first = y * row + x};
            s->g = group * items + s->first;
            for (unsigned i = 0; i < s->size; i++)
                for (unsigned v = 0; v < VARIABLES; v++)
                    s->v[i][v] = (s->g + i + v * 7) * 2654435761u >> 20;
        }
    for (const struct stmt *s = program; s; s = s->next) {
        struct stmt alone = *s;
        uint32_t shared[MAX_GROUP];
        alone.next = NULL;
        for (unsigned k = 0; k < n; k++) {
            uint64_t everyone = all[k].size < 64 ? (UINT64_C(1) << all[k].size) - 1 : ~UINT64_C(0);
            for (unsigned i = 0; i < all[k].size; i++)
                shared[all[k].first + i] = eval(s->e, &all[k], i);
            if (s->kind != S_GROUP_EXCHANGE)
                run_block(&alone, &all[k], everyone, 0, &(struct jumps){0});
        }
        for (unsigned k = 0; k < n && s->kind == S_GROUP_EXCHANGE; k++)
            for (unsigned i = 0; i < all[k].size; i++)
                all[k].v[i][s->v] += shared[(all[k].first + i + s->n) % items];
    }
    for (unsigned k = 0; k < n; k++)
        memcpy(out + (size_t)all[k].g * VARIABLES, all[k].v, all[k].size * sizeof all[k].v[0]);
}

/* ---- comparing ---------------------------------------------------------------------------------------------------------- */

static cl_bool advances; /* sub-groups make progress whatever others do */

static cl_kernel build(void) {
    cl_int error;
    cl_program program =
        program_new(source_text(), pick(4) ? "-cl-std=CL3.0" : "-cl-std=CL3.0 -cl-opt-disable", false);
    if (!program) {
        printf("%s", source_text());
        exit(1);
    }
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    must(error, "clCreateKernel");
    clReleaseProgram(program);
    return kernel;
}

static bool try_size(unsigned long seed, cl_kernel kernel, const struct stmt *program, unsigned required,
                     const size_t local[2]) {
    size_t items = local[0] * local[1], global[2] = {local[0] * GROUPS, local[1]}, most;
    size_t n = items * GROUPS * VARIABLES;
    uint32_t *want = calloc(n, 4), *got = calloc(n, 4);
    cl_int error;
    must(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                 2 * sizeof *local, local, sizeof most, &most, NULL),
         "clGetKernelSubGroupInfo");
    bool over_ends = required && local[0] % required; /* of rows */
    uint32_t rows = over_ends ? 1 : (uint32_t)local[1];
    for (uint32_t group = 0; group < GROUPS; group++)
        run_group(program, group, (uint32_t)items / rows, rows, (uint32_t)most, want);
    cl_mem mem = clCreateBuffer(cl.context, 0, n * 4, NULL, &error);
    clSetKernelArg(kernel, 0, sizeof mem, &mem);
    clSetKernelArg(kernel, 1, items * 4, NULL);
    must(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, local, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
    must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, n * 4, got, 0, NULL, NULL), "clEnqueueReadBuffer");
    clReleaseMemObject(mem);
    size_t at = 0;
    while (at < n && want[at] == got[at])
        at++;
    if (at < n)
        printf("FUZZ_SEED=%lu, local size %zu,%zu, sub-groups of %zu: v%zu of work-item %zu is %u, expected "
               "%u\n%s",
               seed, local[0], local[1], most, at % VARIABLES, at / VARIABLES, got[at], want[at],
               source_text());
    free(want);
    free(got);
    return at == n;
}

static bool try_program(unsigned long seed) {
    static const unsigned sizes[] = {0, 0, 0, 4, 8, 16, 32, 64};
    static const size_t locals[][2] = {{1, 1},   {5, 1}, {16, 1}, {33, 1}, {64, 1},
                                       {100, 1}, {7, 5}, {16, 4}, {24, 3}};
    random_state = seed;
    for (int i = 0; i < 8; i++)
        pick(2);
    unsigned required = sizes[pick(8)];
    wide = required != 0;
    waits = advances && pick(2);
    labels = outermost = 0;
    struct stmt *program = make_block(3, 0, true, true, false);
    put_program(program, required);
    cl_kernel kernel = build();
    bool ok = true;
    for (int i = 0; i < 3 && ok; i++)
        ok = try_size(seed, kernel, program, required, locals[pick(sizeof locals / sizeof *locals)]);
    clReleaseKernel(kernel);
    return ok;
}

static int run(void *arg) {
    const unsigned long *count = arg, first = number_from("FUZZ_SEED", 1);
    cl_uint subgroups = 0;
    device_open();
    clGetDeviceInfo(cl.device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof subgroups, &subgroups, NULL);
    clGetDeviceInfo(cl.device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof advances, &advances,
                    NULL);
    if (!subgroups)
        return 77;
    for (unsigned long seed = first; seed < first + *count; seed++, progress->runs++) {
        progress->seed = seed;
        if (!try_program(seed))
            return 1;
    }
    device_close();
    return 0;
}

int main(void) {
    setenv("WEIR_COMPILE_RETRY", "0", 0); /* slower code may not hide the compiler's mistakes */
    unsigned long count = runs_asked(60, 6);
    int status = child_run(run, &count);
    if (status < 0)
        printf("FUZZ_SEED=%lu: signal %d\n", (unsigned long)progress->seed, -status);
    printf("%lu programs ran\n", (unsigned long)progress->runs);
    return status < 0 ? 1 : status;
}
