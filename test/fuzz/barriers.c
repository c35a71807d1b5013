/* barriers.c: random legal kernels full of barriers, run on the device and by a plain interpreter.
 *
 * A program is a tree of statements over per-item variables v, uniform variables u, a private array a and a local
 * array s. Statements that hold a barrier stand only under conditions and in loops that are uniform by construction
 * (plus one form of loop whose trip count differs per item but whose barrier all items reach equally often), so the
 * interpreter may run them for the whole group in lockstep and everything else item by item.
 * In: FUZZ_SEED (first seed, default 1), FUZZ_COUNT (programs, default 80, 8 with WEIR_TEST_QUICK). Out: exit code 1
 * and the source of the first program whose result differs.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 6, UNIFORMS = 3, ARRAY = 8, LOOPS = 8, HELPERS = 2, MAX_GROUP = 256, GLOBAL = 300 };

/* ---- trees ------------------------------------------------------------------------------------------------------- */

enum expr_kind {
    E_CONSTANT,
    E_V,
    E_U,
    E_A,
    E_LOOP,
    E_LOCAL_ID,
    E_GROUP_ID,
    E_LOCAL_SIZE,
    E_ARGUMENT,
    E_BINARY,
    E_CHOICE
};
struct expr {
    enum expr_kind kind;
    uint32_t n; /* constant, variable's number, loop's depth */
    char op;
    struct expr *a, *b, *c;
};

enum stmt_kind {
    S_SET,
    S_SET_UNIFORM,
    S_SET_ARRAY,
    S_EXCHANGE,
    S_BROADCAST,
    S_BARRIER,
    S_COUNT,
    S_IF,
    S_LOOP,
    S_DO,
    S_GUARDED,
    S_SWITCH,
    S_BREAK,
    S_CONTINUE,
    S_CALL,
    S_BLOCK,
};
struct stmt {
    enum stmt_kind kind;
    bool uniform;         /* runs for the whole group in lockstep */
    uint32_t n, k, depth; /* variable, distance or flags, loop's depth */
    struct expr *e, *f;
    struct stmt *kid[4]; /* bodies; S_BLOCK: first statement and next by `next` */
    struct stmt *next;
};

static uint64_t random_state;
static struct stmt *helpers[HELPERS];

static uint32_t rnd(uint32_t n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 33) % n;
}

static char arena[1 << 22];
static size_t arena_used;

static void *make(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (arena_used + size > sizeof arena)
        abort();
    void *p = memset(arena + arena_used, 0, size);
    arena_used += size;
    return p;
}

/* ---- generation ---------------------------------------------------------------------------------------------------- */

struct frame {      /* where a statement is generated */
    int level;      /* nesting left */
    unsigned loops; /* enclosing loops: valid depths of E_LOOP */
    bool uniform;   /* barriers allowed; conditions must be uniform */
    bool in_loop;   /* break and continue allowed, uniformly */
    bool helper;
};

static struct expr *random_expr(bool uniform, unsigned loops, int level) {
    struct expr *e = make(sizeof *e);
    if (level > 0 && rnd(10) < 7) {
        e->kind = rnd(5) ? E_BINARY : E_CHOICE;
        e->op = "+-*^&|<>/%lr"[rnd(12)];
        e->a = random_expr(uniform, loops, level - 1);
        e->b = random_expr(uniform, loops, level - 1);
        if (e->kind == E_CHOICE)
            e->c = random_expr(uniform, loops, level - 1);
        return e;
    }
    static const enum expr_kind leaves[] = {E_CONSTANT, E_U,          E_U, E_GROUP_ID, E_ARGUMENT,
                                            E_LOOP,     E_LOCAL_SIZE, E_V, E_V,        E_V,
                                            E_V,        E_A,          E_A, E_LOCAL_ID};
    e->kind = leaves[rnd(uniform ? 7 : 14)];
    e->n = e->kind == E_CONSTANT ? rnd(100)
           : e->kind == E_V      ? rnd(VARIABLES)
           : e->kind == E_U      ? rnd(UNIFORMS)
                                 : 0;
    if (e->kind == E_LOOP && !loops)
        e->kind = E_CONSTANT;
    else if (e->kind == E_LOOP)
        e->n = rnd(loops);
    if (e->kind == E_A)
        e->a = random_expr(uniform, loops, level > 0 ? 1 : 0);
    return e;
}

static struct stmt *random_block(struct frame f, int length);

static struct stmt *random_stmt(struct frame f) {
    static const enum stmt_kind any[] = {S_SET, S_SET, S_SET_ARRAY, S_IF, S_LOOP};
    static const enum stmt_kind lockstep[] = {
        S_SET, S_SET_UNIFORM, S_SET_ARRAY, S_EXCHANGE, S_EXCHANGE, S_BROADCAST, S_BARRIER,  S_COUNT, S_IF,
        S_IF,  S_LOOP,        S_DO,        S_GUARDED,  S_SWITCH,   S_BREAK,     S_CONTINUE, S_CALL};
    struct stmt *s = make(sizeof *s);
    s->kind = f.uniform ? lockstep[rnd(17)] : any[rnd(5)];
    bool nests = s->kind == S_IF || s->kind == S_LOOP || s->kind == S_DO || s->kind == S_GUARDED ||
                 s->kind == S_SWITCH;
    if ((nests && (f.level == 0 || f.loops + 1 >= LOOPS)) ||
        ((s->kind == S_BREAK || s->kind == S_CONTINUE) && !f.in_loop) || (s->kind == S_CALL && f.helper))
        s->kind = S_SET, nests = false;
    /* A divergent conditional or loop inside uniform code: barriers end there. */
    s->uniform = f.uniform && (s->kind != S_IF && s->kind != S_LOOP ? true : rnd(3) > 0);
    s->n = rnd(s->kind == S_SET_UNIFORM || s->kind == S_BROADCAST ? UNIFORMS
               : s->kind == S_CALL                                ? HELPERS
                                                                  : VARIABLES);
    s->k = rnd(8);
    s->depth = f.loops;
    struct frame in = f;
    in.level--;
    in.uniform = s->uniform;
    bool loop = s->kind == S_LOOP || s->kind == S_DO || s->kind == S_GUARDED;
    in.loops += loop;
    in.in_loop = s->uniform && (loop || (f.in_loop && s->kind == S_IF));
    bool uniform_expr = s->uniform && s->kind != S_SET && s->kind != S_SET_ARRAY && s->kind != S_EXCHANGE &&
                        s->kind != S_BROADCAST && s->kind != S_COUNT && s->kind != S_GUARDED;
    s->e = random_expr(uniform_expr, f.loops, 3);
    s->f = random_expr(s->kind == S_BROADCAST, f.loops, 2);
    if (s->kind == S_GUARDED) { /* the tail runs for items with more trips, without barriers */
        in.in_loop = false;
        s->kid[0] = random_block(in, 2);
        in.uniform = false;
        s->kid[1] = random_block(in, 2);
    } else if (nests) {
        for (int b = 0; b < (s->kind == S_SWITCH ? 4 : s->kind == S_IF ? 2 : 1); b++)
            s->kid[b] = random_block(in, 1 + (int)rnd(3));
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

/* ---- OpenCL C --------------------------------------------------------------------------------------------------------- */

static char source[1 << 18];
static size_t source_used;

__attribute__((format(printf, 1, 2))) static void out(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    source_used += (size_t)vsnprintf(source + source_used, sizeof source - source_used, format, ap);
    va_end(ap);
    if (source_used >= sizeof source)
        abort();
}

static void emit_expr(const struct expr *e) {
    static const char *const names[] = {"", "v", "u", "", "t", "l", "group", "n", "arg"};
    if (e->kind == E_CONSTANT)
        out("%uu", e->n);
    else if (e->kind == E_A)
        out("a["), emit_expr(e->a), out(" & 7]");
    else if (e->kind == E_V || e->kind == E_U || e->kind == E_LOOP)
        out("%s%u", names[e->kind], e->n);
    else if (e->kind == E_CHOICE)
        out("("), emit_expr(e->a), out(" & 1 ? "), emit_expr(e->b), out(" : "), emit_expr(e->c), out(")");
    else if (e->kind != E_BINARY)
        out("%s", names[e->kind]);
    else {
        out(e->op == '<' || e->op == '>' ? "(uint)(" : "(");
        emit_expr(e->a);
        if (e->op == '/' || e->op == '%')
            out(" %c (", e->op), emit_expr(e->b), out(" | 1)");
        else if (e->op == 'l' || e->op == 'r')
            out(e->op == 'l' ? " << (" : " >> ("), emit_expr(e->b), out(" & 31)");
        else
            out(" %c ", e->op), emit_expr(e->b);
        out(")");
    }
}

static const char *const flags[8] = {"CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE",
                                     "CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE",
                                     "CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
                                     "CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE, memory_scope_device"};

static void emit_barrier(uint32_t k) {
    out("work_group_barrier(%s);\n", flags[k & 7]);
}

static void emit(const struct stmt *s);

static void emit_body(const struct stmt *s) {
    out("{\n");
    emit(s);
    out("}\n");
}

static void emit_loop(const struct stmt *s) {
    uint32_t d = s->depth;
    if (s->kind == S_DO) {
        out("uint t%u = 0;\ndo ", d);
        emit_body(s->kid[0]);
        out("while (++t%u < ((", d), emit_expr(s->e), out(") & 3));\n");
        return;
    }
    if (s->kind == S_GUARDED) {
        out("uint end%u = %u + ((", d, s->k % 3 + 1), emit_expr(s->e);
        out(") & 3);\nfor (uint t%u = 0; t%u < end%u; t%u++) {\nif (t%u < %u) ", d, d, d, d, d, s->k % 3 + 1);
        emit_body(s->kid[0]);
        out("else ");
        emit_body(s->kid[1]);
        out("}\n");
        return;
    }
    out("for (uint t%u = 0; t%u < ((", d, d), emit_expr(s->e), out(") & %u); t%u++) ", s->uniform ? 3 : 7, d);
    emit_body(s->kid[0]);
}

static void emit_switch(const struct stmt *s) {
    out("switch (("), emit_expr(s->e), out(") & 3) {\n");
    for (int b = 0; b < 4; b++) {
        if (b < 3)
            out("case %d: ", b);
        else
            out("default: ");
        emit_body(s->kid[b]);
        if (!(s->k >> b & 1))
            out("break;\n");
    }
    out("}\n");
}

static void emit(const struct stmt *s) {
    switch (s->kind) {
    case S_BLOCK:
        for (const struct stmt *k = s->kid[0]; k; k = k->next)
            out("{\n"), emit(k), out("}\n");
        return;
    case S_SET:
        out("v%u = ", s->n), emit_expr(s->e), out(";\n");
        return;
    case S_SET_UNIFORM:
        out("u%u = ", s->n), emit_expr(s->e), out(";\n");
        return;
    case S_SET_ARRAY:
        out("a[("), emit_expr(s->f), out(") & 7] = "), emit_expr(s->e), out(";\n");
        return;
    case S_EXCHANGE:
        out("s[l] = "), emit_expr(s->e), out(";\n");
        emit_barrier(s->k);
        out("v%u %s s[(l + %u) %% n];\n", s->n, s->k & 1 ? "=" : "+=", s->k + 1);
        emit_barrier(s->k / 2);
        return;
    case S_BROADCAST:
        out("if (l == ("), emit_expr(s->f), out(") %% n)\ns[0] = "), emit_expr(s->e), out(";\n");
        emit_barrier(s->k);
        out("u%u = s[0];\n", s->n);
        emit_barrier(0);
        return;
    case S_COUNT:
        out("if (l == 0)\ns[0] = 0;\n");
        emit_barrier(0);
        out("atomic_add(&s[0], "), emit_expr(s->e), out(");\n");
        emit_barrier(s->k);
        out("v%u ^= s[0];\n", s->n);
        emit_barrier(0);
        return;
    case S_BARRIER:
        emit_barrier(s->k);
        return;
    case S_IF:
        out("if (("), emit_expr(s->e), out(") & 1) ");
        emit_body(s->kid[0]);
        if (s->k & 1) {
            out("else ");
            emit_body(s->kid[1]);
        }
        return;
    case S_SWITCH:
        emit_switch(s);
        return;
    case S_LOOP:
    case S_DO:
    case S_GUARDED:
        emit_loop(s);
        return;
    case S_BREAK:
        out("if (("), emit_expr(s->e), out(") %% 3 == 0)\nbreak;\n");
        return;
    case S_CONTINUE:
        out("if (("), emit_expr(s->e), out(") %% 3 == 0)\ncontinue;\n");
        return;
    case S_CALL:
        out("v%u = helper%u(s, v%u, u0, arg);\n", s->k % VARIABLES, s->n, s->k % VARIABLES);
        return;
    }
}

/* Declares what every function's body may name. */
static void emit_names(void) {
    out("uint l = get_local_id(0), n = get_local_size(0), group = get_group_id(0);\nuint a[8];\n"
        "for (uint j = 0; j < 8; j++)\na[j] = j * l;\n");
    for (int v = 1; v < VARIABLES; v++)
        out("uint v%d = l * %d + 7;\n", v, v);
    for (int u = 1; u < UNIFORMS; u++)
        out("uint u%d = %d + group;\n", u, u);
}

static void emit_program(const struct stmt *body) {
    source_used = 0;
    for (int h = 0; h < HELPERS; h++) {
        out("%suint helper%d(local uint *s, uint v0, uint u0, uint arg) {\n",
            h ? "__attribute__((noinline)) " : "", h);
        emit_names();
        emit(helpers[h]);
        out("return v0 + v1 * 3 + a[v2 & 7];\n}\n");
    }
    out("kernel void k(global uint *out, uint arg) {\nlocal uint s[%d];\nuint v0 = get_global_id(0), u0 = "
        "5;\n",
        MAX_GROUP);
    emit_names();
    emit(body);
    out("uint hash = 0;\nfor (uint j = 0; j < 8; j++)\nhash = hash * 31 + a[j];\nout[get_global_id(0)] = "
        "hash");
    for (int v = 0; v < VARIABLES; v++)
        out(" + v%d * %d", v, v * 2 + 1);
    for (int u = 0; u < UNIFORMS; u++)
        out(" + u%d * %d", u, u + 100);
    out(";\n}\n");
}

/* ---- the interpreter -------------------------------------------------------------------------------------------------- */

struct item {
    uint32_t v[VARIABLES], u[UNIFORMS], a[ARRAY], t[LOOPS], end[LOOPS], l;
};
struct group {
    struct item *items;
    uint32_t n, id, argument;
};
enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE };

static uint32_t eval(const struct expr *e, const struct item *i, const struct group *g) {
    switch (e->kind) {
    case E_CONSTANT:
        return e->n;
    case E_V:
        return i->v[e->n];
    case E_U:
        return i->u[e->n];
    case E_A:
        return i->a[eval(e->a, i, g) & 7];
    case E_LOOP:
        return i->t[e->n];
    case E_LOCAL_ID:
        return i->l;
    case E_GROUP_ID:
        return g->id;
    case E_LOCAL_SIZE:
        return g->n;
    case E_ARGUMENT:
        return g->argument;
    case E_CHOICE:
        return eval(e->a, i, g) & 1 ? eval(e->b, i, g) : eval(e->c, i, g);
    case E_BINARY:
        break;
    }
    uint32_t a = eval(e->a, i, g), b = eval(e->b, i, g);
    switch (e->op) {
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
    default:
        return a >> (b & 31);
    }
}

/* Runs a statement without barriers for one item. */
static void run_item(const struct stmt *s, struct item *i, const struct group *g) {
    switch (s->kind) {
    case S_BLOCK:
        for (const struct stmt *k = s->kid[0]; k; k = k->next)
            run_item(k, i, g);
        return;
    case S_SET:
        i->v[s->n] = eval(s->e, i, g);
        return;
    case S_SET_UNIFORM:
        i->u[s->n] = eval(s->e, i, g);
        return;
    case S_SET_ARRAY: {
        uint32_t value = eval(s->e, i, g);
        i->a[eval(s->f, i, g) & 7] = value;
        return;
    }
    case S_IF:
        if (eval(s->e, i, g) & 1)
            run_item(s->kid[0], i, g);
        else if (s->k & 1)
            run_item(s->kid[1], i, g);
        return;
    case S_LOOP:
        for (i->t[s->depth] = 0; i->t[s->depth] < (eval(s->e, i, g) & 7); i->t[s->depth]++)
            run_item(s->kid[0], i, g);
        return;
    default:
        abort();
    }
}

static enum flow run(const struct stmt *s, struct group *g);

static void set_loop(struct group *g, uint32_t depth, uint32_t t) {
    for (uint32_t i = 0; i < g->n; i++)
        g->items[i].t[depth] = t;
}

static void run_loop(const struct stmt *s, struct group *g) {
    bool more = s->kind == S_DO || (eval(s->e, g->items, g) & 3) > 0;
    for (uint32_t t = 0; more;) {
        set_loop(g, s->depth, t);
        if (run(s->kid[0], g) == FLOW_BREAK)
            return;
        more = ++t < (eval(s->e, g->items, g) & 3);
    }
}

static void run_guarded(const struct stmt *s, struct group *g) {
    uint32_t common = s->k % 3 + 1;
    for (uint32_t i = 0; i < g->n; i++)
        g->items[i].end[s->depth] = common + (eval(s->e, &g->items[i], g) & 3);
    for (uint32_t t = 0; t < common; t++) {
        set_loop(g, s->depth, t);
        run(s->kid[0], g);
    }
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t t = common; t < g->items[i].end[s->depth]; t++) {
            g->items[i].t[s->depth] = t;
            run_item(s->kid[1], &g->items[i], g);
        }
}

static void run_exchange(const struct stmt *s, struct group *g) {
    uint32_t slot[MAX_GROUP];
    for (uint32_t i = 0; i < g->n; i++)
        slot[i] = eval(s->e, &g->items[i], g);
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t *v = &g->items[i].v[s->n], got = slot[(i + s->k + 1) % g->n];
        *v = s->k & 1 ? got : *v + got;
    }
}

static void run_shared(const struct stmt *s, struct group *g) {
    uint32_t value = 0;
    if (s->kind == S_BROADCAST)
        value = eval(s->e, &g->items[eval(s->f, g->items, g) % g->n], g);
    for (uint32_t i = 0; i < g->n && s->kind == S_COUNT; i++)
        value += eval(s->e, &g->items[i], g);
    for (uint32_t i = 0; i < g->n; i++)
        if (s->kind == S_BROADCAST)
            g->items[i].u[s->n] = value;
        else
            g->items[i].v[s->n] ^= value;
}

static enum flow run_switch(const struct stmt *s, struct group *g) {
    for (uint32_t b = eval(s->e, g->items, g) & 3; b < 4; b++) {
        run(s->kid[b], g);
        if (!(s->k >> b & 1))
            break;
    }
    return FLOW_ON;
}

static void start(struct item *i, const struct group *g, uint32_t l) {
    i->l = l;
    for (uint32_t j = 0; j < ARRAY; j++)
        i->a[j] = j * l;
    for (uint32_t v = 1; v < VARIABLES; v++)
        i->v[v] = l * v + 7;
    for (uint32_t u = 1; u < UNIFORMS; u++)
        i->u[u] = u + g->id;
}

static void run_call(const struct stmt *s, struct group *g) {
    struct item items[MAX_GROUP];
    struct group callee = {items, g->n, g->id, g->argument};
    for (uint32_t i = 0; i < g->n; i++) {
        memset(&items[i], 0, sizeof items[i]);
        start(&items[i], g, i);
        items[i].v[0] = g->items[i].v[s->k % VARIABLES];
        items[i].u[0] = g->items[i].u[0];
    }
    run(helpers[s->n], &callee);
    for (uint32_t i = 0; i < g->n; i++)
        g->items[i].v[s->k % VARIABLES] = items[i].v[0] + items[i].v[1] * 3 + items[i].a[items[i].v[2] & 7];
}

/* Runs a statement for the whole group. */
static enum flow run(const struct stmt *s, struct group *g) {
    if (!s->uniform || s->kind == S_SET || s->kind == S_SET_UNIFORM || s->kind == S_SET_ARRAY) {
        for (uint32_t i = 0; i < g->n; i++)
            run_item(s, &g->items[i], g);
        return FLOW_ON;
    }
    enum flow flow = FLOW_ON;
    switch (s->kind) {
    case S_BLOCK:
        for (const struct stmt *k = s->kid[0]; k && flow == FLOW_ON; k = k->next)
            flow = run(k, g);
        return flow;
    case S_EXCHANGE:
        run_exchange(s, g);
        break;
    case S_BROADCAST:
    case S_COUNT:
        run_shared(s, g);
        break;
    case S_IF:
        if (eval(s->e, g->items, g) & 1)
            return run(s->kid[0], g);
        return s->k & 1 ? run(s->kid[1], g) : FLOW_ON;
    case S_LOOP:
    case S_DO:
        run_loop(s, g);
        break;
    case S_GUARDED:
        run_guarded(s, g);
        break;
    case S_SWITCH:
        return run_switch(s, g);
    case S_BREAK:
        return eval(s->e, g->items, g) % 3 == 0 ? FLOW_BREAK : FLOW_ON;
    case S_CONTINUE:
        return eval(s->e, g->items, g) % 3 == 0 ? FLOW_CONTINUE : FLOW_ON;
    case S_CALL:
        run_call(s, g);
        break;
    default:
        break;
    }
    return FLOW_ON;
}

static void interpret(const struct stmt *body, uint32_t local, uint32_t argument, uint32_t *results) {
    static struct item items[MAX_GROUP];
    for (uint32_t first = 0; first < GLOBAL; first += local) {
        struct group g = {items, GLOBAL - first < local ? GLOBAL - first : local, first / local, argument};
        memset(items, 0, sizeof items);
        for (uint32_t i = 0; i < g.n; i++) {
            start(&items[i], &g, i);
            items[i].v[0] = first + i;
            items[i].u[0] = 5;
        }
        run(body, &g);
        for (uint32_t i = 0; i < g.n; i++) {
            uint32_t hash = 0;
            for (int j = 0; j < ARRAY; j++)
                hash = hash * 31 + items[i].a[j];
            for (uint32_t v = 0; v < VARIABLES; v++)
                hash += items[i].v[v] * (v * 2 + 1);
            for (uint32_t u = 0; u < UNIFORMS; u++)
                hash += items[i].u[u] * (u + 100);
            results[first + i] = hash;
        }
    }
}

/* ---- the device ---------------------------------------------------------------------------------------------------------- */

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void check(cl_int error, const char *what) {
    if (!error)
        return;
    printf("%s: error %d\n%s", what, error, source);
    exit(1);
}

static cl_kernel build(const char *options) {
    const char *text = source;
    static char log[1 << 16];
    cl_int error;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    check(error, "clCreateProgramWithSource");
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (error) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s\n", log);
    }
    check(error, "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    check(error, "clCreateKernel");
    clReleaseProgram(program);
    return kernel;
}

static void launch(cl_kernel kernel, size_t local, cl_uint argument, uint32_t *results) {
    cl_int error;
    size_t global = GLOBAL;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, GLOBAL * sizeof *results, NULL, &error);
    check(error, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof argument, &argument), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, GLOBAL * sizeof *results, results, 0, NULL, NULL),
          "reading");
    clReleaseMemObject(buffer);
}

static const struct stmt *generate(uint64_t seed) {
    random_state = seed * 0x9e3779b97f4a7c15u + 1;
    arena_used = 0;
    struct frame top = {.level = 3, .uniform = true};
    struct frame inner = {.level = 1, .uniform = true, .helper = true};
    for (int h = 0; h < HELPERS; h++)
        helpers[h] = random_block(inner, 3);
    const struct stmt *body = random_block(top, 4 + (int)rnd(5));
    emit_program(body);
    return body;
}

static bool try_program(uint64_t seed, bool nonuniform) {
    static const size_t locals[] = {1, 2, 3, 10, 30, 60, 150, 7, 64, 256};
    static uint32_t got[GLOBAL], want[GLOBAL];
    const struct stmt *body = generate(seed);
    for (int optimize = 1; optimize >= 0; optimize--) {
        cl_kernel kernel = build(optimize ? "-cl-std=CL3.0 -w" : "-cl-std=CL3.0 -w -cl-opt-disable");
        for (int shape = 0; shape < 3; shape++) {
            uint32_t local = (uint32_t)locals[rnd(nonuniform ? 10 : 7)], argument = rnd(50);
            interpret(body, local, argument, want);
            launch(kernel, local, argument, got);
            for (uint32_t i = 0; i < GLOBAL; i++)
                if (got[i] != want[i]) {
                    printf("FUZZ_SEED=%llu, %s, local size %u, arg %u: out[%u] is %u, expected %u\n%s",
                           (unsigned long long)seed, optimize ? "optimized" : "-cl-opt-disable", local,
                           argument, i, got[i], want[i], source);
                    return false;
                }
        }
        clReleaseKernel(kernel);
    }
    return true;
}

static unsigned long number_from(const char *name, unsigned long otherwise) {
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

int main(void) {
    cl_platform_id platform;
    cl_int error;
    cl_bool nonuniform = CL_FALSE;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    check(error, "clCreateCommandQueueWithProperties");
    clGetDeviceInfo(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof nonuniform, &nonuniform, NULL);
    unsigned long first = number_from("FUZZ_SEED", 1),
                  count = number_from("FUZZ_COUNT", getenv("WEIR_TEST_QUICK") ? 8 : 80);
    for (unsigned long seed = first; seed < first + count; seed++)
        if (!try_program(seed, nonuniform))
            return 1;
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
