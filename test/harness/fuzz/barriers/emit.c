/* emit.c: a random program as OpenCL C. */
#include "program.h"
#include "source.h"

static void expr(const struct expr *e);

/* Text in which A, B and C stand for the operands. */
static void pattern(const char *text, const struct expr *e) {
    for (; *text; text++) {
        if (*text >= 'A' && *text <= 'C')
            put("("), expr(*text == 'A' ? e->a : *text == 'B' ? e->b : e->c), put(")");
        else
            put("%c", *text);
    }
}

static const char *binary(char op) {
    switch (op) {
    case '<':
        return "(uint)(A < B)";
    case '>':
        return "(uint)(A > B)";
    case '/':
        return "(A / (B | 1))";
    case '%':
        return "(A % (B | 1))";
    case 'l':
        return "(A << (B & 31))";
    case 'r':
        return "(A >> (B & 31))";
    case 's':
        return "(uint)((int)A < (int)B)";
    case 'd':
        return "(uint)((int)A / (int)(B & 255 | 1))";
    case 'a':
        return "(uint)((int)A >> (B & 31))";
    case 'L':
        return "(uint)((ulong)A * B >> 17)";
    case 'u':
        return "(uint)(uchar)(A + B)";
    case 'n':
        return "(uint)(short)(A - B)";
    case 'w':
        return "(uint)((long)(int)A - (long)(int)B >> 1)";
    case 'x':
        return "(uint)((long)(int)A >> (B & 63))";
    case 'b':
        return "(A & 31 > B ? 1u : B)";
    default:
        return NULL;
    }
}

static void expr(const struct expr *e) {
    static const char *const names[] = {"n", "group", "arg", "l", "lx", "ly", "id", "gx"};
    switch (e->kind) {
    case E_CONSTANT:
        put("%uu", e->n);
        return;
    case E_V:
    case E_U:
    case E_LOOP:
        put("%c%u", e->kind == E_V ? 'v' : e->kind == E_U ? 'u' : 't', e->n);
        return;
    case E_NAME:
        put("%s", names[e->n]);
        return;
    case E_A:
        pattern("a[A & 7]", e);
        return;
    case E_POINTER:
        pattern("(A & 1 ? a : b)[B & 7]", e);
        return;
    case E_VOLATILE:
        put("w");
        return;
    case E_INPUT:
        pattern(e->n ? "table[A & 15]" : "in[A & 255]", e);
        return;
    case E_MEMORY:
        put(e->n ? "((volatile global uint *)m)" : "m"), pattern("[(A & 7) * 300 + id]", e);
        return;
    case E_BYTE:
        pattern("(uint)bytes[id * 8 + (A & 7)]", e);
        return;
    case E_OWN:
        pattern("(uint)own[l * 2 + (A & 1)]", e);
        return;
    case E_BINARY:
        if (binary(e->op))
            pattern(binary(e->op), e);
        else
            put("("), pattern("A", e), put(" %c ", e->op), pattern("B", e), put(")");
        return;
    case E_CHOICE:
        pattern("(A & 1 ? B : C)", e);
        return;
    case E_FUNCTION:
        put("%s(", functions[e->n].name), expr(e->a), put(", "), expr(e->b), put(")");
        return;
    }
}

static void barrier(uint32_t k) {
    static const char *const flags[8] = {"CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE",
                                         "CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE",
                                         "CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
                                         "CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE, memory_scope_device"};
    put("work_group_barrier(%s);\n", flags[k & 7]);
}

static const struct program *emitted;

/* The barrier between what work-items of a group write and what others read of it. */
static void middle_barrier(const struct stmt *s, uint32_t k) {
    if (s != emitted->faulty || emitted->fault == FAULT_NONE)
        barrier(k);
    else if (emitted->fault == FAULT_NO_FLAG)
        put("work_group_barrier(CLK_GLOBAL_MEM_FENCE);\n");
}

static void stmt(const struct stmt *s);

static void body(const struct stmt *s) {
    put("{\n"), stmt(s), put("}\n");
}

static void loop(const struct stmt *s) {
    uint32_t d = s->depth, common = s->k % 3 + 1;
    switch (s->kind) {
    case S_DO:
        put("uint t%u = 0;\ndo ", d), body(s->kid[0]);
        put("while (++t%u < ((", d), expr(s->e), put(") & 3));\n");
        return;
    case S_WHILE:
        put("uint t%u = 0;\nwhile (((", d), expr(s->e), put(") & 3) != 3 && t%u < 5) {\nt%u++;\n", d, d);
        stmt(s->kid[0]), put("}\n");
        return;
    case S_GUARDED:
        put("uint end%u = %u + ((", d, common), expr(s->e);
        put(") & 3);\nfor (uint t%u = 0; t%u < end%u; t%u++) {\nif (t%u < %u) ", d, d, d, d, d, common);
        body(s->kid[0]), put("else "), body(s->kid[1]), put("}\n");
        return;
    default:
        put("for (uint t%u = 0; t%u < ((", d, d), expr(s->e);
        put(") & %u); t%u++) ", s->uniform ? 3 : 7, d), body(s->kid[0]);
    }
}

static void choice(const struct stmt *s) {
    put("switch (("), expr(s->e), put(") & 3) {\n");
    for (int b = 0; b < 4; b++) {
        if (b < 3)
            put("case %d: ", b);
        else
            put("default: ");
        body(s->kid[b]);
        if (!(s->k >> b & 1))
            put("break;\n");
    }
    put("}\n");
}

/* One assignment: TARGET with the place's index, if any, from f. */
static void assign(const struct stmt *s, const char *before, const char *after) {
    put("%s", before);
    if (after)
        put("("), expr(s->f), put(")%s", after);
    put(" = "), expr(s->e), put(";\n");
}

static void atomic(const struct stmt *s) {
    static const char *const ops[OPS] = {"add", "xor", "or", "max", "min"};
    put("atomic_%s(&%s[%u + ((", ops[s->n], s->k & 1 ? "cells" : "lc", s->n * 4), expr(s->f);
    put(") & 3)], "), expr(s->e), put(");\n");
}

static void exchange(const struct stmt *s) {
    if (s->kind == S_EXCHANGE) {
        put("s[l] = "), expr(s->e), put(";\n"), middle_barrier(s, s->k);
        put("v%u %s s[(l + %u) %% n];\n", s->n, s->k & 1 ? "=" : "+=", s->k + 1), barrier(s->k / 2);
    } else if (s->kind == S_BROADCAST) {
        put("if (l == ("), expr(s->f), put(") %% n)\ns[0] = "), expr(s->e), put(";\n"),
            middle_barrier(s, s->k);
        put("u%u = s[0];\n", s->n), barrier(0);
    } else {
        put("if (l == 0)\ns[0] = 0;\n"), barrier(0);
        put("atomic_add(&s[0], "), expr(s->e), put(");\n"), middle_barrier(s, s->k);
        put("v%u ^= s[0];\n", s->n), barrier(0);
    }
}

static void stmt(const struct stmt *s) {
    switch (s->kind) {
    case S_BLOCK:
        for (const struct stmt *k = s->kid[0]; k; k = k->next)
            body(k);
        return;
    case S_SET:
    case S_SET_UNIFORM:
        put("%c%u", s->kind == S_SET ? 'v' : 'u', s->n), assign(s, "", NULL);
        return;
    case S_SET_ARRAY:
        assign(s, "a[", " & 7]");
        return;
    case S_SET_POINTER:
        put("{\nuint *p = (v%u & 1 ? a : b) + %u;\np[", s->n, s->k & 3);
        assign(s, "", " & 3]"), put("}\n");
        return;
    case S_SET_VOLATILE:
        assign(s, "w", NULL);
        return;
    case S_SET_MEMORY:
        assign(s, "m[id + 300 * (", " & 7)]");
        return;
    case S_SET_BYTE:
        assign(s, "bytes[id * 8 + (", " & 7)]");
        return;
    case S_SET_OWN:
        assign(s, "own[l * 2 + (", " & 1)]");
        return;
    case S_ATOMIC:
        atomic(s);
        return;
    case S_TICKET:
        put("atomic_add(&%s[%d], ", s->k & 1 ? "cells" : "lc", OPS * 4);
        put("atomic_inc(&%s[%d]));\n", s->k & 1 ? "cells" : "lc", OPS * 4 + 1);
        return;
    case S_EXCHANGE:
    case S_BROADCAST:
    case S_COUNT:
        exchange(s);
        return;
    case S_BARRIER:
        barrier(s->k);
        return;
    case S_IF:
        put("if (("), expr(s->e), put(") & 1) "), body(s->kid[0]);
        if (s->k & 1)
            put("else "), body(s->kid[1]);
        return;
    case S_SWITCH:
        choice(s);
        return;
    case S_LOOP:
    case S_WHILE:
    case S_DO:
    case S_GUARDED:
        loop(s);
        return;
    case S_BREAK:
    case S_CONTINUE:
    case S_RETURN:
        put("if (("), expr(s->e),
            put(") %% 3 == 0)\n%s;\n", s->kind == S_BREAK      ? "break"
                                       : s->kind == S_CONTINUE ? "continue"
                                                               : "RETURN");
        return;
    case S_CALL:
    case S_CALL_ITEM:
        put("v%u = %s%u(ARGS, v%u, u0);\n", s->k % VARIABLES, s->kind == S_CALL ? "helper" : "item", s->n,
            s->k % VARIABLES);
        return;
    }
}

/* Declares what every function's body may name. */
static void names(const struct program *p) {
    if (p->dims == 1)
        put("uint l = get_local_id(0), n = get_local_size(0), id = get_global_id(0) - "
            "get_global_offset(0);\n");
    else
        put("uint l = get_local_linear_id(), id = get_global_linear_id(), n = get_local_size(0) * "
            "get_local_size(1) * get_local_size(2);\n");
    put("uint lx = get_local_id(0), ly = get_local_id(1), gx = get_global_id(0), group = get_group_id(0) + "
        "get_group_id(1) * 8;\nvolatile uint w = 3;\nuint a[8], b[8];\n"
        "for (uint j = 0; j < 8; j++) {\na[j] = j * l;\nb[j] = j + lx;\n}\n");
    for (int v = 1; v < VARIABLES; v++)
        put("uint v%d = l * %d + 7;\n", v, v);
    for (int u = 1; u < UNIFORMS; u++)
        put("uint u%d = %d + group;\n", u, u);
}

static void function(const struct program *p, const char *kind, int h, const struct stmt *s) {
    put("%suint %s%d(PARAMETERS, uint v0, uint u0) {\n", h ? "__attribute__((noinline)) " : "", kind, h);
    names(p), stmt(s), put("return v0 + v1 * 3 + a[v2 & 7] + b[v3 & 7];\n}\n");
}

const char *emit_program(const struct program *p) {
    source_begin();
    emitted = p;
    put("#define PARAMETERS local uint *s, local ushort *own, local uint *lc, global const uint *in, "
        "global uint *m, global uchar *bytes, global uint *cells, uint arg\n"
        "#define ARGS s, own, lc, in, m, bytes, cells, arg\n"
        "#define RETURN return v0 + v1 * 3 + a[v2 & 7] + b[v3 & 7]\nconstant uint table[16] = {");
    for (uint32_t i = 0; i < 16; i++)
        put("%uu, ", input_at(i));
    put("};\n");
    for (uint32_t f = 0; f < nfunctions; f++)
        put("uint %s(uint a, uint b) %s\n", functions[f].name, functions[f].text);
    for (int h = 0; h < HELPERS; h++) {
        function(p, "item", h, p->items[h]);
    }
    for (int h = 0; h < HELPERS; h++) {
        function(p, "helper", h, p->helpers[h]);
    }
    put("kernel void k(global uint *out, global const uint *in, global uint *m, global uchar *bytes, "
        "global uint *cells, uint arg) {\nlocal uint s[%d], lc[%d];\nlocal ushort own[%d];\n",
        MAX_GROUP, CELLS, 2 * MAX_GROUP);
    names(p);
    put("uint v0 = gx, u0 = 5;\nown[l * 2] = l;\nown[l * 2 + 1] = 0;\n"
        "for (uint j = l; j < %d; j += n)\nlc[j] = 0;\n",
        CELLS);
    barrier(0), stmt(p->body), barrier(0);
    put("uint hash = w + own[l * 2] + own[l * 2 + 1] * 5;\nfor (uint j = 0; j < 8; j++)\n"
        "hash = hash * 31 + (a[j] ^ b[j] * 3) + m[j * 300 + id] + bytes[id * 8 + j];\n"
        "for (uint j = 0; j < %d; j++)\nhash = hash * 7 + lc[j];\nout[id] = hash;\n",
        CELLS);
    barrier(0); /* the tail's atomics come after everybody's hash */
    put("#undef RETURN\n#define RETURN return\n");
    stmt(p->tail);
    put("out[id] = hash");
    for (int v = 0; v < VARIABLES; v++)
        put(" + v%d * %d", v, v * 2 + 1);
    for (int u = 0; u < UNIFORMS; u++)
        put(" + u%d * %d", u, u + 100);
    put(";\n}\n");
    return source_text();
}
