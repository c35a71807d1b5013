/* emit.c: the kernels of indices.h as OpenCL C. */
#include "indices.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char indices_head[] =
    "uint get_uint(uint e) { return e; } uint put_uint(uint u) { return u; }\n"
    "uint get_float(float e) { return (uint)e; } float put_float(uint u) { return (float)(u & 0xffff); }\n"
    "uint get_uchar(uchar e) { return e; } uchar put_uchar(uint u) { return (uchar)u; }\n"
    "uint get_short(short e) { return (uint)e; } short put_short(uint u) { return (short)u; }\n"
    "uint get_ulong(ulong e) { return (uint)(e >> 8); } ulong put_ulong(uint u) { return (ulong)u << 8; }\n"
    "uint get_uint2(uint2 e) { return e.x + 3 * e.y; }\n"
    "uint2 put_uint2(uint u) { return (uint2)(u, u + 1); }\n"
    "uint get_uint4(uint4 e) { return e.x + 3 * e.y + 5 * e.z + 7 * e.w; }\n"
    "uint4 put_uint4(uint u) { return (uint4)(u, u + 1, u ^ 5, u * 3); }\n";

static const char *const type_names[] = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"};

static const char *const place_names[PLACES] = {"l",  "ly", "linear", "g",  "gy", "item", "group", "size",
                                                "a0", "a1", "offset", "i0", "i1", "j0",   "j1",    "x"};
static const char *const memory_names[] = {"A", "B", "in", "out"};

struct writer {
    char *text;
    size_t room, n;
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    w->n += (size_t)vsnprintf(w->text + w->n, w->room - w->n, format, args);
    va_end(args);
    if (w->n >= w->room) {
        fprintf(stderr, "a kernel's source doesn't fit\n");
        abort();
    }
}

static void emit(struct writer *w, const struct index *e) {
    static const char *const calls[] = {
        [I_MIN] = "min", [I_MAX] = "max", [I_CLAMP] = "clamp", [I_MUL24] = "mul24", [I_ROTATE] = "rotate"};
    static const char *const suffixes[] = {[INT32] = "", [UINT32] = "u", [INT64] = "l", [UINT64] = "ul"};
    const struct index *operands[] = {e->a, e->b, e->c};
    switch (e->kind) {
    case I_CONSTANT:
        put(w, e->n < 0 ? "(%lld%s)" : "%lld%s", (long long)e->n, suffixes[e->type]);
        break;
    case I_PLACE:
        put(w, "%s", place_names[e->n]);
        break;
    case I_CAST:
        put(w, "(%s)", type_names[e->type]);
        emit(w, e->a);
        break;
    case I_BINARY:
        put(w, "(");
        emit(w, e->a);
        put(w, " %s%s ", e->op, *e->op == '=' || *e->op == '!' ? "=" : "");
        emit(w, e->b);
        put(w, ")");
        break;
    case I_CHOICE:
        put(w, "(");
        emit(w, e->a);
        put(w, " ? ");
        emit(w, e->b);
        put(w, " : ");
        emit(w, e->c);
        put(w, ")");
        break;
    default:
        put(w, "%s(", calls[e->kind]);
        for (unsigned i = 0; i < 3 && operands[i]; i++) {
            put(w, "%s(%s)", i ? ", " : "", type_names[e->type]);
            emit(w, operands[i]);
        }
        put(w, ")");
    }
}

static void emit_loop(struct writer *w, const struct indices *p, const struct action *a) {
    const char *j = place_names[P_J + a->depth];
    put(w, "for (%s %s = ", type_names[p->types[P_J + a->depth]], j);
    if (a->n == HALVES) {
        emit(w, a->at);
        put(w, "; %s > 0; %s /= 2) {\n", j, j);
        return;
    }
    put(w, "%u; %s < ", a->n == DOUBLES, j);
    emit(w, a->at);
    put(w, a->n == DOUBLES ? "; %s *= 2) {\n" : "; %s++) {\n", j);
}

static void emit_actions(struct writer *w, const struct indices *p, const struct action *a, int indent) {
    for (; a; a = a->next) {
        const char *memory = memory_names[a->n < MEMORIES ? a->n : 0];
        const char *type = elements_of[p->element[a->n < MEMORIES ? a->n : 0]].name;
        put(w, "%*s", indent, "");
        switch (a->kind) {
        case A_LOAD:
            put(w, "x = x * 3 + get_%s(%s[", type, memory);
            emit(w, a->at);
            put(w, "]);\n");
            break;
        case A_STORE:
            put(w, "%s[", memory);
            emit(w, a->at);
            put(w, "] = put_%s(", type);
            emit(w, a->value);
            put(w, ");\n");
            break;
        case A_SET:
            put(w, "%s = ", place_names[a->n]);
            emit(w, a->value);
            put(w, ";\n");
            break;
        case A_BARRIER:
            put(w, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
            break;
        case A_IF:
            put(w, "if (");
            emit(w, a->at);
            put(w, ") {\n");
            emit_actions(w, p, a->kid[0], indent + 4);
            if (a->kid[1]) {
                put(w, "%*s} else {\n", indent, "");
                emit_actions(w, p, a->kid[1], indent + 4);
            }
            put(w, "%*s}\n", indent, "");
            break;
        case A_FOR:
            emit_loop(w, p, a);
            emit_actions(w, p, a->kid[0], indent + 4);
            put(w, "%*s}\n", indent, "");
            break;
        }
    }
}

static void emit_tiles(struct writer *w, const struct indices *p) {
    for (unsigned t = 0; t < 2; t++) {
        const char *type = elements_of[p->element[t]].name, *name = memory_names[t];
        put(w, "    for (uint i = (uint)linear; i < %u; i += all)\n        %s[i] = put_%s(i * 7 + %u);\n",
            p->size[t], name, type, 3 + t * 1000);
    }
}

void indices_emit(const struct indices *p, const char *name, char *text, size_t room) {
    static const char *const values[PLACES] = {"get_local_id(0)",
                                               "get_local_id(1)",
                                               "get_local_linear_id()",
                                               "get_global_id(0)",
                                               "get_global_id(1)",
                                               "get_global_linear_id()",
                                               "get_group_id(1) * get_num_groups(0) + get_group_id(0)",
                                               "get_local_size(0)",
                                               NULL,
                                               NULL,
                                               "offsets[get_global_linear_id()]",
                                               "0",
                                               "0",
                                               NULL,
                                               NULL,
                                               "(uint)get_global_linear_id()"};
    struct writer w = {text, room, 0};
    put(&w, "kernel void %s(global const %s *in, global %s *out, global uint *xs, global uint *tiles,\n",
        name, elements_of[p->element[M_IN]].name, elements_of[p->element[M_OUT]].name);
    put(&w, "              global const int *offsets, int a0, uint a1");
    for (unsigned t = 0; t < 2 && p->tiles_are_arguments; t++)
        put(&w, ", local %s *%s", elements_of[p->element[t]].name, memory_names[t]);
    put(&w, ") {\n");
    for (unsigned t = 0; t < 2 && !p->tiles_are_arguments; t++)
        put(&w, "    local %s %s[%u];\n", elements_of[p->element[t]].name, memory_names[t], p->size[t]);
    put(&w, "    uint all = get_local_size(0) * get_local_size(1);\n");
    for (unsigned i = 0; i < PLACES; i++)
        if (values[i])
            put(&w, "    %s %s = %s;\n", type_names[p->types[i]], place_names[i], values[i]);
    emit_tiles(&w, p);
    put(&w, "    barrier(CLK_LOCAL_MEM_FENCE);\n");
    emit_actions(&w, p, p->body, 4);
    put(&w, "    xs[get_global_linear_id()] = x;\n    barrier(CLK_LOCAL_MEM_FENCE);\n");
    for (unsigned t = 0; t < 2; t++)
        put(&w,
            "    for (uint i = (uint)linear; i < %u; i += all)\n"
            "        tiles[(uint)group * %u + %u + i] = get_%s(%s[i]);\n",
            p->size[t], p->size[0] + p->size[1], t ? p->size[0] : 0, elements_of[p->element[t]].name,
            memory_names[t]);
    put(&w, "}\n");
}
