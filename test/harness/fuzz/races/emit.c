/* emit.c: the kernels of races.h as OpenCL C. */
#include "races.h"
#include "source.h"

const struct element elements_of[3] = {{"int", 4}, {"short", 2}, {"uchar", 1}};
static const char *const names[N_COUNTER] = {"l", "x", "y", "g", "arg"};
static const char *const tiles[TILES] = {"t", "m", "u"};
static const char *const flags[] = {"0", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                    "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};
static bool is_signed;

static void put_term(const struct term *e) {
    if (*e->op) {
        put("(");
        put_term(e->a);
        put(" %s ", e->op);
        put_term(e->b);
        put(")");
    } else if (!e->is_name) { /* in 64 bits the simulation's numbers below 0 are those of 32 */
        put(is_signed || e->n >> 31 ? "(int)0x%xu" : "%u", e->n);
    } else if (e->n < N_COUNTER) {
        put("%s", names[e->n]);
    } else {
        put("i%u", e->n - N_COUNTER);
    }
}

static void put_place(const struct races *r, unsigned tile, const struct term *at, unsigned member) {
    put("%s[", tiles[tile]);
    put_term(at);
    put("]%s", r->members == 1 ? "" : member ? ".b" : ".a");
}

/* A store's value, of the element `k` of a vector. */
static void put_value(const struct step *s, unsigned k) {
    put("%u + l", s->n * MOST_ITEMS + k);
}

static void put_vector(const struct races *r, const struct step *s) {
    unsigned n = s->width;
    if (s->kind == S_STORE) {
        put("vstore%u((%s%u)(", n, elements_of[r->element].name, n);
        for (unsigned k = 0; k < n; k++) {
            put(k ? ", " : "");
            put_value(s, k);
        }
        put("), 0, ");
    } else {
        put("sum += %s(convert_int%u(vload%u(0, ", n == 2 ? "SUM2" : n == 3 ? "SUM3" : "SUM4", n, n);
    }
    put("%s + (", tiles[s->tile]);
    put_term(s->at);
    put(s->kind == S_STORE ? "));\n" : "))));\n");
}

static void put_steps(const struct races *r, const struct step *s, int indent);

static void put_loop(const struct races *r, const struct step *s, int indent) {
    put("for (%s i%u = ", r->type, s->n);
    put_term(s->from);
    put("; ");
    put_term(s->while_);
    put("; i%u = ", s->n);
    put_term(s->then);
    put(") {\n");
    put_steps(r, s->kid[0], indent + 4);
    put("%*s}\n", indent, "");
}

static void put_if(const struct races *r, const struct step *s, int indent) {
    if (s->is_bool) {
        put("bool b%u = ", s->n);
        put_term(s->at);
        put(";\n%*sif (b%u", indent, "", s->n);
    } else {
        put("if (");
        put_term(s->at);
    }
    put(") {\n");
    put_steps(r, s->kid[0], indent + 4);
    if (s->kid[1]) {
        put("%*s} else {\n", indent, "");
        put_steps(r, s->kid[1], indent + 4);
    }
    put("%*s}\n", indent, "");
}

static void put_steps(const struct races *r, const struct step *s, int indent) {
    for (; s; s = s->next) {
        if (s->gone)
            continue;
        put("%*s", indent, "");
        switch (s->kind) {
        case S_STORE:
        case S_UPDATE:
            if (s->width > 1) {
                put_vector(r, s);
                break;
            }
            put_place(r, s->tile, s->at, s->member);
            put(" = ");
            put_value(s, 0);
            if (s->kind == S_UPDATE) {
                put(" + ");
                put_place(r, s->tile, s->from, s->from_member);
            }
            put(";\n");
            break;
        case S_ADD:
            put("atomic_add(&");
            put_place(r, s->tile, s->at, s->member);
            put(", ");
            put_value(s, 0);
            put(");\n");
            break;
        case S_LOAD:
            if (s->width > 1) {
                put_vector(r, s);
                break;
            }
            put("sum += ");
            put_place(r, s->tile, s->at, s->member);
            put(";\n");
            break;
        case S_BARRIER:
            put("%sbarrier(%s);\n", s->is_of_subgroup ? "sub_group_" : "", flags[s->n]);
            break;
        case S_IF:
            put_if(r, s, indent);
            break;
        case S_FOR:
            put_loop(r, s, indent);
            break;
        }
    }
}

const char *races_emit(const struct races *r, const char *name) {
    const char *type = r->type, *argument = *type == 's' ? "ulong" : type,
               *element = r->members == 1 ? elements_of[r->element].name : "struct pair";
    source_begin();
    is_signed = *r->type == 'i';
    put("#define SUM2(v) ({ int2 v_ = v; v_.x + v_.y; })\n"
        "#define SUM3(v) ({ int3 v_ = v; v_.x + v_.y + v_.z; })\n"
        "#define SUM4(v) ({ int4 v_ = v; v_.x + v_.y + v_.z + v_.w; })\n");
    if (r->members > 1)
        put("struct pair { %s a, b; };\n", elements_of[r->element].name);
    if (r->subgroup)
        put("__attribute__((intel_reqd_sub_group_size(%u)))\n", r->subgroup);
    put("kernel void %s(global int *out, global %s *m, %s arg%s%s%s) {\n", name, element, argument,
        r->is_argument ? ", local " : "", r->is_argument ? element : "", r->is_argument ? " *t" : "");
    if (!r->is_argument)
        put("    local %s t[%u];\n", element, r->size[IN_LOCAL]);
    if (r->size[IN_OTHER])
        put("    local %s u[%u];\n", element, r->size[IN_OTHER]);
    put("    %s x = get_local_id(0), y = get_local_id(1), l = y * %u + x, g = get_group_id(0);\n"
        "    int sum = 0;\n",
        type, r->local[0]);
    put_steps(r, r->body, 4);
    put("    out[get_global_id(1) * get_global_size(0) + get_global_id(0) - get_global_offset(0)] = "
        "sum;\n}\n");
    return source_text();
}
