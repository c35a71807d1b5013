/* program.c: a seed to a random kernel: its types, variables and helpers, how it is launched. */
#include "kernels.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void roll_palette(struct kernel_program *p) {
    static const uint8_t widths[] = {1, 1, 1, 1, 2, 3, 4, 4, 8, 16};
    p->palette[0] = uint_type();
    for (int i = 1; i < PALETTE; i++) {
        p->palette[i] = (struct type){(uint8_t)kernels_roll(11), widths[kernels_roll(10)]};
        for (int k = 0; k < i; k++)
            if (p->palette[k].base == p->palette[i].base && p->palette[k].n == p->palette[i].n)
                p->palette[i] = (struct type){(uint8_t)((p->palette[i].base + 1) % 11), p->palette[i].n},
                k = -1;
    }
}

static struct node *prelude(const struct kernel_program *p) {
    const char *text =
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL FP_CONTRACT OFF\n"
        "#ifndef OVERLOADABLE\n#define OVERLOADABLE __attribute__((overloadable))\n"
        "#define CONVERT(x, T, n) convert_##T##n(x)\n"
        "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
        "#define SATURATED(x, T, n, from) convert_##T##n##_sat(x)\n"
        "#define SATURATED1(x, T, n, from) convert_##T##_sat(x)\n"
        "#define ROUND(x, mode, n) convert_int##n##_##mode(x)\n"
        "#define ROUND1(x, mode, n) convert_int_##mode(x)\n"
        "#define FETCH_(operation, p, x) atomic_fetch_##operation##_explicit((volatile local "
        "atomic_uint *)(p), x, memory_order_relaxed, memory_scope_work_group)\n"
        "#define FETCH_add(p, x) FETCH_(add, p, x)\n#define FETCH_or(p, x) FETCH_(or, p, x)\n"
        "#define FETCH_xor(p, x) FETCH_(xor, p, x)\n#define FETCH_max(p, x) FETCH_(max, p, x)\n"
        "#define async_work_group_strided_copy_in async_work_group_strided_copy\n"
        "#define async_work_group_strided_copy_out async_work_group_strided_copy\n";
    static const char *const broadcasts[] = {
        "i", "(i) % get_local_size(0), (i) / get_local_size(0)",
        "(i) % get_local_size(0), (i) / get_local_size(0) % get_local_size(1), "
        "(i) / (get_local_size(0) * get_local_size(1))"};
    text = text_of(
        "%s#define work_group_broadcast_linear(x, i) work_group_broadcast(x, %s)\n%s#else\n%s#endif\n", text,
        broadcasts[p->dims - 1], image_macros(p), kept_macro(p));
    text = text_of("%s#define OWN_PLACE(m, i) m[%s]\n", text, p->apart ? "(i) * 160 + id" : "id * 4 + (i)");
    text = text_of("%sint OVERLOADABLE fit(int x) { return x; }\n", text);
    for (unsigned base = 0; base < 11;
         base++) /* expressions have scalars and vectors of all lengths of these types */
        for (unsigned n = 1; base_types[base].kind == FLOATING && n <= 16; n += n < 4 ? 1 : n)
            for (unsigned i = 0, once = 0; i < PALETTE; i++)
                if (p->palette[i].base == base && !once++)
                    text = text_of("%s%s", text, fit_function((struct type){(uint8_t)base, (uint8_t)n}));
    text = text_of("%stypedef struct {\n", text);
    for (unsigned i = 0; i < PALETTE; i++)
        text = text_of("%s    %s f%u;\n", text, type_name(p->palette[i]), i);
    text = text_of(
        "%s    uint e[3];\n    union { uint word; uchar bytes[4]; } b;\n} S;\n"
        "S twist(S s, uint k) {\n    s.e[k %% 3u] += k;\n    s.b.word ^= s.e[0];\n    return s;\n}\n"
        "void poke(generic S *s, uint k) {\n    s->e[k %% 3u] ^= k;\n    s->b.bytes[k & 3u] += 3;\n}\n",
        text);
    for (unsigned i = 0; i < PALETTE; i++) {
        text = text_of("%sconstant %s c%u[5] = {", text, type_name(p->palette[i]), i);
        for (unsigned k = 0; k < 5; k++)
            text = text_of("%s(%s)(%u)%s", text, type_name(p->palette[i]), kernels_roll(100),
                           k < 4 ? ", " : "};\n");
    }
    return node_fixed(text);
}

static const char *counters(void) {
    const char *text = "uint t0 = 0";
    making.counters_used = 0;
    for (unsigned i = 1; i < COUNTERS_OF_LOOPS; i++)
        text = text_of("%s, t%u = 0", text, i);
    return text_of("%s;\n", text);
}

static struct node *helper(unsigned i) {
    struct places places = {.n = 0};
    struct type t = making.program->palette[i];
    const char *name = type_name(t);
    struct node *n = node_new(
        text_of("%suint helper%u(%s v, private %s *q, local %s *x, global %s *g, uint u, uint l, uint n) "
                "{\nuint r = l + u;\n%s",
                kernels_roll(3) ? "" : "__attribute__((noinline)) ", i, name, name, name, name, counters()),
        "return r;\n}\n");
    place_add(&places, t, "v", false, true, false);
    place_add(&places, t, "(*q)", false, true, false);
    place_add(&places, t, "x[%s %% n]", false, false, true);
    place_add(&places, t, "g[%s %% n]", false, false, true);
    place_add(&places, t, "x[u % n]", true, false, true);
    place_add(&places, uint_type(), "r", false, true, false);
    place_add(&places, uint_type(), "u", true, false, false);
    place_add(&places, uint_type(), "l", false, false, false);
    struct frame f = {.places = &places, .level = 1, .uniform = true, .returned = "return r;"};
    f.exchange[i] = "x", f.global_exchange[i] = "g";
    making.statements_left = 2;
    node_add(n, random_block(f, 3));
    n->fixed = true;
    return n;
}

static struct node *item(unsigned i) {
    struct places places = {.n = 0};
    struct type t = making.program->palette[i];
    const char *name = type_name(t);
    struct node *n = node_new(text_of("%s%s item%u(%s v, generic %s *q, uint k, uint n) {\n%s w = *q;\n%s",
                                      kernels_roll(3) ? "" : "__attribute__((noinline)) ", name, i, name,
                                      name, name, counters()),
                              "return w;\n}\n");
    place_add(&places, t, "v", false, true, false);
    place_add(&places, t, "w", false, true, false);
    place_add(&places, t, "(*q)", false, true, false);
    place_add(&places, uint_type(), "k", false, true, false);
    struct frame f = {.places = &places, .level = 2, .returned = "return v;"};
    making.statements_left = 1;
    node_add(n, random_block(f, 2));
    n->fixed = true;
    return n;
}

/* Places of a type of the palette, whose number takes the place of %u. */
static const struct {
    const char *text;
    bool uniform, written, shared;
} typed_places[] = {{"v%u_0", false, true, false},
                    {"v%u_0", false, true, false},
                    {"v%u_1", false, true, false},
                    {"w%u", false, true, false},
                    {"a%u[%%s & 7]", false, true, false},
                    {"(*p%u)", false, true, false},
                    {"o%u[l * 2 + (%%s & 1)]", false, true, false},
                    {"OWN_PLACE(m%u, (%%s & 3))", false, true, false},
                    {"kept%u[id]", false, true, false},
                    {"s0.f%u", false, true, false},
                    {"sa[%%s %%%% 3u].f%u", false, true, false},
                    {"grid%u[%%s & 3][l %%%% 3u]", false, true, false},
                    {"grid%u[l & 3][%%s %%%% 3u]", false, true, false},
                    {"in%u[(gx + %%s) & 63]", false, false, false},
                    {"in%u[min(id + 1, 63u)]", false, false, false},
                    {"in%u[(id & 31) * 2 + (%%s & 1)]", false, false, false},
                    {"in%u[63 - (id & 63)]", false, false, false},
                    {"in%u[(il - 3 + (int)(%%s & 7)) & 63]", false, false, false},
                    {"in%u[max(il - 1, 0) & 63]", false, false, false},
                    {"in%u[min((int)gx + 1, 63)]", false, false, false},
                    {"in%u[(wg * 2 + %%s) %%%% 64]", false, false, false},
                    {"in%u[(short)(il * 3) & 63]", false, false, false},
                    {"x%u[(wl + n - 1 + %%s) %%%% n]", false, false, true},
                    {"x%u[max(il - (int)(%%s & 3), 0)]", false, false, true},
                    {"in%u[(l / 4 + (l & 3) * 4) & 63]", false, false, false},
                    {"in%u[(l - 16u) & 63]", false, false, false},
                    {"in%u[(gx - 7u + %%s) %%%% 64u]", false, false, false},
                    {"in%u[(l * 0x80000001u + %%s) & 63]", false, false, false},
                    {"in%u[(uchar)(l * 3u + 250u) & 63]", false, false, false},
                    {"in%u[(ushort)(%%s * 513u + l) >> 10]", false, false, false},
                    {"in%u[(wg * 0x100000003UL + %%s) & 63]", false, false, false},
                    {"in%u[(size_t)((long)(%%s) * -7 - il) & 63]", false, false, false},
                    {"in%u[(char)(il * 5) & 63]", false, false, false},
                    {"in%u[(l ^ (l >> 1)) & 63]", false, false, false},
                    {"in%u[(l | 12u) & 63]", false, false, false},
                    {"in%u[63 ^ (id & 63)]", false, false, false},
                    {"in%u[mul24(lx, 3u) & 63]", false, false, false},
                    {"x%u[l & ~3u]", false, false, true},
                    {"x%u[(l | 1u) < n ? l | 1u : l]", false, false, true},
                    {"x%u[l / 3u]", false, false, true},
                    {"c%u[%%s %%%% 5u]", true, false, false},
                    {"in%u[%%s & 63]", true, false, false},
                    {"in%u[(l * 3 + %%s) & 63]", false, false, false},
                    {"y%u", true, false, false},
                    {"x%u[%%s %%%% n]", true, false, true},
                    {"x%u[(l + 1) %% n]", false, false, true},
                    {"x%u[(l + %%s) %%%% n]", false, false, true},
                    {"g%u[%%s %%%% n]", true, false, true},
                    {"g%u[(l + %%s) %%%% n]", false, false, true},
                    {"(*lp%u)", false, false, true},
                    {"xs[(l + %%s) %%%% n].f%u", false, false, true}};

static void add_typed_places(struct places *p, unsigned i) {
    for (unsigned k = 0; k < sizeof typed_places / sizeof *typed_places; k++)
        place_add(p, making.program->palette[i], text_of(typed_places[k].text, i), typed_places[k].uniform,
                  typed_places[k].written, typed_places[k].shared);
}

static void kernel_places(struct places *p) {
    static const char *const ids[] = {"l", "lx", "ly", "id", "gx"}, *const uniforms[] = {"u0", "u1",
                                                                                         "u2", "arg",
                                                                                         "n",  "group"};
    for (int i = 0; i < 5; i++)
        place_add(p, uint_type(), ids[i], false, false, false);
    for (int i = 0; i < 6; i++)
        place_add(p, uint_type(), uniforms[i], true, false, false);
    place_add(p, uint_type(), "table", true, false, false);
    place_add(p, uint_type(), "counter", true, false, true);
    place_add(p, uint_type(), "total", true, false, true);
    place_add(p, uint_type(), "s0.e[%s %% 3u]", false, true, false);
    place_add(p, uint_type(), "s0.b.word", false, true, false);
    static const char *const parts[] = {
        /* of words: x0 has one for each work-item of the group */
        "((local uchar *)x0)[(l * 4u + %s) %% (n * 4u)]", "((local ushort *)x0)[(l + %s) %% (n * 2u)]",
        "vload2((l + %s) %% n, (local ushort *)x0).y", "vload4((l * 5u + %s) %% n, (local uchar *)x0).s2"};
    static const char *const read_parts[] = {"((global const uchar *)in0)[(id * 3u + %s) & 255u]",
                                             "((global const ushort *)in0)[(l * 2u + %s) & 127u]",
                                             "vload3((l + %s) %% 85u, (global const uchar *)in0).z",
                                             "vload8((%s) & 31u, (global const uchar *)in0).s5"};
    for (int i = 0; i < 4; i++) {
        place_add(p, uint_type(), parts[i], false, false, true);
        place_add(p, uint_type(), read_parts[i], false, false, false);
    }
    place_add(p, (struct type){0, 4}, "TEXEL((l + %s) %% n, group)", false, false, true);
    place_add(p, (struct type){0, 4}, "TEXEL(%s %% n, group)", true, false, true);
    for (unsigned i = 0; i < PALETTE; i++)
        if (making.program->palette[i].base == 8) {
            add_half_places(p);
            break;
        }
    place_add(p, (struct type){2, 1}, "s0.b.bytes[%s & 3]", false, true, false);
    for (unsigned i = 0; i < PALETTE; i++)
        add_typed_places(p, i);
}

/* Whether a kernel's body names it: what it doesn't is left out, so that kernels stay small. */
static bool is_named(const char *body, const char *word) {
    for (const char *at = body; (at = strstr(at, word)); at++) {
        char before = at == body ? ' ' : at[-1], after = at[strlen(word)];
        if (!isalnum(before) && before != '_' && !isalnum(after) && after != '_')
            return true;
    }
    return false;
}

/* Lines that a kernel has if its body names something: `line` has the type as T, the number as #. */
struct line {
    const char *name, *line;
};

static const char *lines(const char *body, const struct line *line, unsigned n, unsigned i) {
    const char *text = "";
    const char *type = type_name(making.program->palette[i]);
    for (unsigned k = 0; k < n; k++) {
        char name[8], number[2] = {(char)('0' + i), 0};
        snprintf(name, sizeof name, "%s%u", line[k].name, i);
        bool named =
            is_named(body, name) || (!strcmp(line[k].name, "x") && is_named(body, text_of("lp%u", i)));
        for (const char *c = line[k].line; *c && (named || !*line[k].name); c++)
            text = *c == '#'   ? text_of("%s%s", text, number)
                   : *c == 'T' ? text_of("%s%s", text, type)
                               : text_of("%s%c", text, *c);
    }
    return text;
}
#define LINES(body, table, i) lines(body, table, sizeof(table) / sizeof *(table), i)

static bool names_structs(const char *body) {
    return is_named(body, "s0") || is_named(body, "sa") || is_named(body, "xs");
}

static const char *kernel_variables(const char *body) {
    static const struct line of_type[] = {
        {"", "T v#_0 = in#[(id * 5) & 63], v#_1 = in#[l & 63], y# = in#[arg & 63];\n"},
        {"x", "local T x#[128];\nx#[l] = v#_0;\n"},
        {"lp", "local T *lp# = x# + l;\n"},
        {"g", "global T *g# = gs# + group * 128;\ng#[l] = v#_1;\n"},
        {"a", "T a#[8];\nfor (uint q = 0; q < 8; q++) a#[q] = in#[(q + id) & 63];\n"},
        {"grid",
         "T grid#[4][3];\nfor (uint q = 0; q < 12; q++) grid#[q & 3][q % 3] = in#[(q * 3 + id) & 63];\n"},
        {"w", "volatile T w# = in#[lx & 63];\n"},
        {"p", "generic T *p# = &v#_1;\n"},
        {"o", "o#[l * 2] = v#_0; o#[l * 2 + 1] = v#_1;\n"},
        {"kept", "kept#[id] = in#[l & 3];\n"}};
    static const struct line of_struct[] = {{"", "s0.f# = v#_0;\n"}};
    const char *text =
        "uint l = (uint)get_local_linear_id(), id = (uint)get_global_linear_id();\n"
        "uint lx = (uint)get_local_id(0), ly = (uint)get_local_id(1), gx = (uint)get_global_id(0);\n"
        "int il = (int)get_local_id(0);\nsize_t wl = get_local_linear_id(), wg = get_global_id(0);\n"
        "uint n = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));\n"
        "uint group = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + "
        "get_group_id(0));\n"
        "uint u0 = group, u1 = arg * 3, u2 = in0[group & 63], h = id;\n"
        "local uint counter, total;\nif (l == 0) counter = total = 9;\n";
    text = text_of("%s%s", text, counters());
    for (unsigned i = 0; i < PALETTE; i++)
        text = text_of("%s%s", text, LINES(body, of_type, i));
    if (names_structs(body)) {
        text = text_of("%slocal S xs[128];\nS s0, sa[3];\n", text);
        for (unsigned i = 0; i < PALETTE; i++)
            text = text_of("%s%s", text, LINES(body, of_struct, i));
        text = text_of("%ss0.e[0] = l; s0.e[1] = 5; s0.e[2] = id; s0.b.word = l * 77777;\n"
                       "sa[0] = sa[1] = sa[2] = xs[l] = s0;\n",
                       text);
    }
    if ((is_named(body, "TEXEL") || is_named(body, "SET_TEXEL")))
        text = text_of("%sSET_TEXEL(l, group, (uint4)(l, group, 3, arg));\n", text);
    return text_of("%sbarrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE);\n", text);
}

/* What a work-item's variables hold at the end, for the host. */
static const char *kernel_end(const char *body) {
    static const struct line of_type[] = {{"", "r[0] = v#_0; r[1] = v#_1; r[2] = y#;\n"},
                                          {"w", "r[3] = w#;\n"},
                                          {"p", "r[4] = *p#;\n"},
                                          {"kept", "r[5] = kept#[id];\n"},
                                          {"o", "r[6] = o#[l * 2]; r[7] = o#[l * 2 + 1];\n"},
                                          {"a", "for (uint q = 0; q < 8; q++) r[8 + q] = a#[q];\n"}};
    static const struct line of_struct[] = {
        {"", "r[16] = s0.f#; r[17] = sa[0].f#; r[18] = sa[1].f#; r[19] = sa[2].f#;\n"}};
    const char *text = "";
    for (unsigned i = 0; i < PALETTE; i++)
        text = text_of("%s{\nglobal %s *r = m%u + %u + id * %u;\n%s%s}\n", text,
                       type_name(making.program->palette[i]), i, MOST_GLOBAL * OWN, RESULTS,
                       LINES(body, of_type, i), names_structs(body) ? LINES(body, of_struct, i) : "");
    if (names_structs(body))
        text = text_of(
            "%sh = h * 31 + s0.e[0]; h = h * 31 + s0.e[1]; h = h * 31 + s0.e[2]; h = h * 31 + s0.b.word;\n",
            text);
    if (is_named(body, "TEXEL") || is_named(body, "SET_TEXEL"))
        text = text_of(
            "%s{\natomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, "
            "memory_scope_work_item);\n"
            "uint4 q = TEXEL(l, group);\nh = h * 31 + q.x; h = h * 31 + q.y; h = h * 31 + q.z; h = h * 31 + "
            "q.w;\n}\n",
            text);
    return text_of("%sh = h * 31 + u0; h = h * 31 + u1; h = h * 31 + u2;\nout[id] = h;\n", text);
}

static struct node *kernel(void) {
    static struct places places;
    places.n = 0;
    kernel_places(&places);
    struct kernel_program *p = making.program;
    struct frame f = {.places = &places,
                      .level = 2 + (int)kernels_roll(2),
                      .uniform = true,
                      .kernel = true,
                      .returned = "out[id] = h + v0_0; return;"};
    const char *text = "";
    for (unsigned i = 0; i < PALETTE; i++)
        text = text_of("%sglobal %s kept%u[%u];\n", text, type_name(p->palette[i]), i, MOST_GLOBAL);
    text = text_of("%sglobal uint table = 7;\n", text);
    if (!kernels_roll(4))
        text = text_of("%s__attribute__((reqd_work_group_size(%u, %u, %u))) ", text, p->local[0], p->local[1],
                       p->local[2]);
    if (!kernels_roll(8))
        text = text_of("%s__attribute__((vec_type_hint(float4))) ", text);
    if (p->subgroups && !kernels_roll(3))
        text = text_of("%s__attribute__((intel_reqd_sub_group_size(%u))) ", text, 8u << kernels_roll(3));
    text = text_of("%skernel void k(global uint *out, volatile global uint *cells, uint arg", text);
    for (unsigned i = 0; i < PALETTE; i++) {
        const char *name = type_name(p->palette[i]);
        f.exchange[i] = text_of("x%u", i);
        f.global_exchange[i] = text_of("g%u", i);
        text = text_of("%s,\n    global %s *m%u, global %s *gs%u, global const %s *%s in%u, local %s *o%u",
                       text, name, i, name, i, name, kernels_roll(2) ? "__restrict" : "", i, name, i);
    }
    struct node *n = node_fixed("");
    counters();
    making.statements_left = 5 + kernels_roll(7);
    node_add(n, random_block(f, 4 + kernels_roll(5)));
    f.uniform = false;
    making.statements_left = 2;
    node_add(n, random_block(f, 2));
    const char *body = node_text(n);
    n->open = text_of("%s, IMAGE image) {\n%s", text, kernel_variables(body));
    n->close = text_of("%s}\n", kernel_end(body));
    return n;
}

static void roll_shape(struct kernel_program *p, bool nonuniform) {
    static const uint32_t globals[3][3] = {{160, 1, 1}, {16, 10, 1}, {8, 5, 4}};
    static const uint32_t locals[3][10][3] = {{{16, 1, 1},
                                               {32, 1, 1},
                                               {80, 1, 1},
                                               {5, 1, 1},
                                               {1, 1, 1},
                                               {20, 1, 1},
                                               {40, 1, 1},
                                               {64, 1, 1},
                                               {7, 1, 1},
                                               {128, 1, 1}},
                                              {{16, 5, 1},
                                               {8, 10, 1},
                                               {4, 2, 1},
                                               {1, 10, 1},
                                               {16, 1, 1},
                                               {2, 5, 1},
                                               {8, 5, 1},
                                               {5, 3, 1},
                                               {16, 8, 1},
                                               {3, 10, 1}},
                                              {{8, 5, 2},
                                               {4, 5, 4},
                                               {2, 1, 4},
                                               {1, 5, 2},
                                               {8, 1, 1},
                                               {4, 1, 2},
                                               {8, 5, 1},
                                               {3, 2, 3},
                                               {8, 4, 4},
                                               {5, 5, 1}}};
    p->dims = kernels_roll(2) ? 1 : 1 + kernels_roll(3);
    memcpy(p->global, globals[p->dims - 1], sizeof p->global);
    memcpy(p->local, locals[p->dims - 1][kernels_roll(nonuniform ? 10 : 7)], sizeof p->local);
    for (uint32_t d = 0; d < 3; d++)
        p->offset[d] = d < p->dims && !kernels_roll(6) ? kernels_roll(100) : 0;
    p->argument = kernels_roll(20);
}

void kernels_generate(uint64_t seed, bool nonuniform, struct kernel_program *p) {
    static const char *const options[] = {"-cl-std=CL3.0", "-cl-std=CL3.0 -g",
                                          "-cl-std=CL3.0 -cl-opt-disable", "-cl-std=CL2.0",
                                          "-cl-std=CLC++2021"};
    kernels_forget(seed);
    making.labels_used = 0;
    making.program = p;
    *p = (struct kernel_program){
        .subgroups = !kernels_roll(3), .apart = kernels_roll(2), .options = options[kernels_roll(5)]};
    roll_palette(p);
    roll_image(p);
    roll_shape(p, nonuniform);
    p->text = node_new("", "");
    p->text->fixed = true;
    node_add(p->text, prelude(p));
    for (unsigned i = 0; i < PALETTE; i++)
        node_add(p->text, item(i));
    node_add(p->text, helper(0));
    node_add(p->text, helper(1));
    node_add(p->text, kernel());
}
