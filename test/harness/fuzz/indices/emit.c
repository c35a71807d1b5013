/* emit.c: the kernels of indices.h as OpenCL C. */
#include "indices.h"
#include "source.h"

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

static void emit(const struct index *e) {
    static const char *const calls[] = {
        [I_MIN] = "min", [I_MAX] = "max", [I_CLAMP] = "clamp", [I_MUL24] = "mul24", [I_ROTATE] = "rotate"};
    static const char *const suffixes[] = {[INT32] = "", [UINT32] = "u", [INT64] = "l", [UINT64] = "ul"};
    const struct index *operands[] = {e->a, e->b, e->c};
    switch (e->kind) {
    case I_CONSTANT:
        put(e->n < 0 ? "(%lld%s)" : "%lld%s", (long long)e->n, suffixes[e->type]);
        break;
    case I_PLACE:
        put("%s", place_names[e->n]);
        break;
    case I_CAST:
        put("(%s)", type_names[e->type]);
        emit(e->a);
        break;
    case I_BINARY:
        put("(");
        emit(e->a);
        put(" %s%s ", e->op, *e->op == '=' || *e->op == '!' ? "=" : "");
        emit(e->b);
        put(")");
        break;
    case I_CHOICE:
        put("(");
        emit(e->a);
        put(" ? ");
        emit(e->b);
        put(" : ");
        emit(e->c);
        put(")");
        break;
    default:
        put("%s(", calls[e->kind]);
        for (unsigned i = 0; i < 3 && operands[i]; i++) {
            put("%s(%s)", i ? ", " : "", type_names[e->type]);
            emit(operands[i]);
        }
        put(")");
    }
}

static void emit_loop(const struct indices *p, const struct action *a) {
    const char *j = place_names[P_J + a->depth];
    put("for (%s %s = ", type_names[p->types[P_J + a->depth]], j);
    if (a->n == HALVES) {
        emit(a->at);
        put("; %s > 0; %s /= 2) {\n", j, j);
        return;
    }
    put("%u; %s < ", a->n == DOUBLES, j);
    emit(a->at);
    put(a->n == DOUBLES ? "; %s *= 2) {\n" : "; %s++) {\n", j);
}

static void emit_actions(const struct indices *p, const struct action *a, int indent) {
    for (; a; a = a->next) {
        const char *memory = memory_names[a->n < MEMORIES ? a->n : 0];
        const char *type = elements_of[p->element[a->n < MEMORIES ? a->n : 0]].name;
        put("%*s", indent, "");
        switch (a->kind) {
        case A_LOAD:
            put("x = x * 3 + get_%s(%s[", type, memory);
            emit(a->at);
            put("]);\n");
            break;
        case A_STORE:
            put("%s[", memory);
            emit(a->at);
            put("] = put_%s(", type);
            emit(a->value);
            put(");\n");
            break;
        case A_SET:
            put("%s = ", place_names[a->n]);
            emit(a->value);
            put(";\n");
            break;
        case A_BARRIER:
            put("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
            break;
        case A_IF:
            put("if (");
            emit(a->at);
            put(") {\n");
            emit_actions(p, a->kid[0], indent + 4);
            if (a->kid[1]) {
                put("%*s} else {\n", indent, "");
                emit_actions(p, a->kid[1], indent + 4);
            }
            put("%*s}\n", indent, "");
            break;
        case A_FOR:
            emit_loop(p, a);
            emit_actions(p, a->kid[0], indent + 4);
            put("%*s}\n", indent, "");
            break;
        }
    }
}

static void emit_tiles(const struct indices *p) {
    for (unsigned t = 0; t < 2; t++) {
        const char *type = elements_of[p->element[t]].name, *name = memory_names[t];
        put("    for (uint i = (uint)linear; i < %u; i += all)\n        %s[i] = put_%s(i * 7 + %u);\n",
            p->size[t], name, type, 3 + t * 1000);
    }
}

void indices_emit(const struct indices *p, const char *name) {
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
    put("kernel void %s(global const %s *in, global %s *out, global uint *xs, global uint *tiles,\n", name,
        elements_of[p->element[M_IN]].name, elements_of[p->element[M_OUT]].name);
    put("              global const int *offsets, int a0, uint a1");
    for (unsigned t = 0; t < 2 && p->tiles_are_arguments; t++)
        put(", local %s *%s", elements_of[p->element[t]].name, memory_names[t]);
    put(") {\n");
    for (unsigned t = 0; t < 2 && !p->tiles_are_arguments; t++)
        put("    local %s %s[%u];\n", elements_of[p->element[t]].name, memory_names[t], p->size[t]);
    put("    uint all = get_local_size(0) * get_local_size(1);\n");
    for (unsigned i = 0; i < PLACES; i++)
        if (values[i])
            put("    %s %s = %s;\n", type_names[p->types[i]], place_names[i], values[i]);
    emit_tiles(p);
    put("    barrier(CLK_LOCAL_MEM_FENCE);\n");
    emit_actions(p, p->body, 4);
    put("    xs[get_global_linear_id()] = x;\n    barrier(CLK_LOCAL_MEM_FENCE);\n");
    for (unsigned t = 0; t < 2; t++)
        put("    for (uint i = (uint)linear; i < %u; i += all)\n"
            "        tiles[(uint)group * %u + %u + i] = get_%s(%s[i]);\n",
            p->size[t], p->size[0] + p->size[1], t ? p->size[0] : 0, elements_of[p->element[t]].name,
            memory_names[t]);
    put("}\n");
}
