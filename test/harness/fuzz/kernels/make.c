/* make.c: random statements, as nodes of text. */
#include "kernels.h"

#include <stdio.h>
#include <string.h>

static const char *expression(const struct frame *f, struct type t, bool uniform, int level) {
    struct view v = {.places = f->places, .program = making.program, .uniform = uniform, .own = f->own};
    const char *e = random_expression(&v, t, level);
    return base_types[t.base].kind == FLOATING ? text_of("fit((%s)(%s))", type_name(t), e)
                                               : text_of("(%s)(%s)", type_name(t), e);
}

static const char *number(const struct frame *f, bool uniform) {
    return expression(f, uint_type(), uniform, 1 + (int)kernels_roll(2));
}

static const char *condition(const struct frame *f) {
    if (f->uniform && f->exchange[0] && !f->own && !kernels_roll(6)) {
        bool any = kernels_roll(2);
        return text_of("work_group_%s((%s & 15u) %s 3u)", any ? "any" : "all", number(f, false),
                       any ? "==" : "!=");
    }
    static const char *const ids[] = {"l < 16u",   "lx == 0u",       "(l & 7u) < 3u",  "l + 4u >= n",
                                      "(id & 1u)", "ly == 1u",       "l != 5u",        "l >= u1 %% n",
                                      "gx > 40u",  "lx + 1u < (%s)", "l < (%s) %% 40u"};
    if (f->kernel && !f->uniform && !kernels_roll(4)) {
        const char *test = ids[kernels_roll(11)];
        return text_of(test, strstr(test, "%s") ? number(f, kernels_roll(2)) : "");
    }
    static const char *const tests[] = {"& 1u", "% 3u == 1u", "> 5u", "& 6u", "< n", "!= 2u"};
    const char *test = text_of("(%s) %s", number(f, f->uniform), tests[kernels_roll(6)]);
    if (!kernels_roll(4))
        test = text_of("(%s) %s (%s) %s", test, kernels_roll(2) ? "&&" : "||", number(f, f->uniform),
                       tests[kernels_roll(6)]);
    return test;
}

/* ---- assignments -------------------------------------------------------------------------------------------------- */

static struct node *assignment(const struct frame *f) {
    struct type t = making.program->palette[kernels_roll(PALETTE)];
    if (t.n > 1 && !kernels_roll(4))
        t.n = 1;
    struct view v = {.places = f->places, .program = making.program, .own = true};
    const char *to = random_place(&v, t, true);
    if (!to)
        return node_new(";\n", "");
    if (base_types[t.base].kind == UNSIGNED && !kernels_roll(4))
        return node_new(kernels_roll(3) ? text_of("%s %c= %s;\n", to, "+-*&|^"[kernels_roll(6)],
                                                  expression(f, t, false, 1))
                                        : text_of("%s%s;\n", to, kernels_roll(2) ? "++" : "--"),
                        "");
    return node_new(text_of("%s = %s;\n", to, expression(f, t, false, 2)), "");
}

static struct node *uniform_assignment(const struct frame *f) {
    unsigned i = kernels_roll(PALETTE + 3);
    const char *name = i < PALETTE ? text_of("y%u", i) : text_of("u%u", i - PALETTE);
    struct type t = i < PALETTE ? making.program->palette[i] : uint_type();
    bool there = false;
    for (unsigned k = 0; k < f->places->n; k++)
        there |= !strcmp(f->places->place[k].text, name);
    return there ? node_new(text_of("%s = %s;\n", name, expression(f, t, true, 2)), "") : assignment(f);
}

static const char *value_to_store(const struct frame *f, struct type t) {
    return expression(f, t, false, 1);
}

static struct node *vector_memory(const struct frame *f) {
    struct node *half = kernels_roll(3) ? NULL : random_half_store(f, value_to_store, number(f, false));
    if (half)
        return half;
    unsigned i = kernels_roll(PALETTE);
    struct type t = making.program->palette[i];
    if (t.n == 1 || !f->kernel)
        return assignment(f);
    const char *base = base_types[t.base].name, *at = number(f, false);
    const char *memory = making.program->apart || kernels_roll(2)
                             ? text_of("(private %s *)a%u", base, i)
                             : text_of("(global %s *)(m%u + id * %u)", base, i, OWN);
    unsigned last = t.n == 3 ? 4 : OWN - 1;
    /* What a vector of three leaves of its room is nobody's. */
    return t.n == 3 || kernels_roll(2)
               ? node_new(text_of("vstore%u(%s, (%s) %% %uu, %s);\n", t.n, expression(f, t, false, 1), at,
                                  last, memory),
                          "")
               : node_new(text_of("v%u_1 = vload%u((%s) %% %uu, %s);\n", i, t.n, at, last, memory), "");
}

static struct node *pointer(const struct frame *f) {
    unsigned i = kernels_roll(PALETTE);
    if (!f->kernel)
        return assignment(f);
    const char *name = type_name(making.program->palette[i]), *to[2];
    if (!kernels_roll(4))
        return node_new(text_of("lp%u = (%s) & 1 ? &x%u[(%s) %% n] : &o%u[l * 2 + 1];\n", i, number(f, false),
                                i, number(f, false), i),
                        "");
    for (int k = 0; k < 2; k++) {
        const char *const targets[] = {"v%u_1", "a%u[(%s) & 7]", "o%u[l * 2 + (%s & 1)]",
                                       "OWN_PLACE(m%u, (%s & 3))"};
        char format[64];
        snprintf(format, sizeof format, "(generic %%s *)&%s", targets[kernels_roll(4)]);
        to[k] = text_of(format, name, i, number(f, false));
    }
    return node_new(text_of("p%u = (%s) & 1 ? %s : %s;\n", i, number(f, kernels_roll(2)), to[0], to[1]), "");
}

/* ---- what work-items share ----------------------------------------------------------------------------------------- */

const char *barrier_text(bool global) {
    static const char *const local_ones[] = {
        "barrier(CLK_LOCAL_MEM_FENCE);\n",
        "work_group_barrier(CLK_LOCAL_MEM_FENCE);\n",
        "work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);\n",
        "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n",
        "work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);\n",
        "work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE, memory_scope_all_svm_devices);\n"};
    static const char *const global_ones[] = {
        "barrier(CLK_GLOBAL_MEM_FENCE);\n",
        "work_group_barrier(CLK_GLOBAL_MEM_FENCE);\n",
        "work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n",
        "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n",
        "work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);\n",
        "work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_scope_all_svm_devices);\n"};
    return (global ? global_ones : local_ones)[kernels_roll(6)];
}

/* A barrier, perhaps in two halves with what is one's own between. */
static void add_barrier(struct node *to, const struct frame *f, bool global) {
    if (kernels_roll(5)) {
        node_add(to, node_fixed(barrier_text(global)));
        return;
    }
    const char *flag = global ? "CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE";
    struct frame between = *f;
    between.own = true;
    between.uniform = between.breaks = between.continues = false;
    between.returned = NULL;
    between.level = 1;
    node_add(to, node_fixed(text_of("intel_work_group_barrier_arrive(%s);\n", flag)));
    node_add(to, random_block(between, 1 + kernels_roll(2)));
    node_add(to, node_fixed(text_of("intel_work_group_barrier_wait(%s);\n", flag)));
}

static struct node *exchange(const struct frame *f) {
    unsigned i = kernels_roll(PALETTE);
    bool global = f->global_exchange[i] && !kernels_roll(3);
    const char *x = global ? f->global_exchange[i] : f->exchange[i], *space = global ? "global" : "local";
    struct type t = making.program->palette[i];
    if (!x)
        return assignment(f);
    const char *base = base_types[t.base].name, *name = type_name(t);
    static const char *const own_places[] = {
        "l", "l", "l", "(l + 1) % n", "(l + 5) % n", "n - 1 - l", "((l ^ 1) < n ? l ^ 1 : l)"};
    const char *at = own_places[kernels_roll(7)];
    struct node *n = node_new("{\n", "}\n");
    struct frame own = *f;
    own.own = true;
    bool before = kernels_roll(2);
    const char *value = expression(before ? f : &own, t, false, 2);
    const char *part = expression(before ? f : &own, (struct type){t.base, 1}, false, 2);
    if (before) {
        node_add(n, node_fixed(text_of("%s value = %s; %s part = %s;\n", name, value, base, part)));
        value = "value", part = "part";
    }
    add_barrier(n, f, global);
    const char *guard = kernels_roll(3) ? "" : text_of("if ((%s) %% 3u) ", number(&own, false));
    unsigned how = kernels_roll(6);
    if (t.n > 1 && how == 0)
        node_add(n, node_fixed(text_of("%s%s[%s].s%x = %s;\n", guard, x, at, kernels_roll(t.n), part)));
    else if (t.n > 1 && t.n != 3 && how == 1)
        node_add(n, node_fixed(text_of("%s((%s %s *)&%s[(%s) / %uu])[(%s) %% %uu] = %s;\n", guard, space,
                                       base, x, at, t.n, at, t.n, part)));
    else if (t.n > 1 && how == 2)
        node_add(n, node_fixed(text_of("%svstore%u(%s, %s, (%s %s *)%s);\n", guard, t.n, value, at, space,
                                       base, x)));
    else if (how == 3)
        node_add(n, node_fixed(text_of("if (l == (%s) %% n) %s[(%s) %% n] = %s;\n", number(&own, true), x,
                                       number(&own, true), value)));
    else
        node_add(n, node_fixed(text_of("%s%s[%s] = %s;\n", guard, x, at, value)));
    add_barrier(n, f, global);
    return n;
}

static struct node *texels(const struct frame *f) {
    if (!f->kernel)
        return exchange(f);
    struct frame own = *f;
    own.own = true;
    struct node *n = node_new("{\nbarrier(CLK_IMAGE_MEM_FENCE);\n", "}\n");
    for (unsigned k = 1 + !kernels_roll(4); k; k--)
        node_add(n,
                 node_fixed(text_of("%sSET_TEXEL(l, group, %s)\n",
                                    kernels_roll(3) ? "" : text_of("if ((%s) %% 3u) ", number(&own, false)),
                                    expression(&own, (struct type){0, 4}, false, 2))));
    node_add(n, node_fixed(kernels_roll(2)
                               ? "barrier(CLK_IMAGE_MEM_FENCE);\n"
                               : "work_group_barrier(CLK_IMAGE_MEM_FENCE | CLK_LOCAL_MEM_FENCE);\n"));
    return n;
}

static struct node *structs(const struct frame *f) {
    if (!f->kernel)
        return exchange(f);
    struct frame own = *f;
    own.own = true;
    struct node *n = node_new("{\n", "}\n");
    add_barrier(n, f, false);
    unsigned i = kernels_roll(PALETTE);
    switch (kernels_roll(5)) {
    case 0:
        node_add(n, node_fixed("xs[l] = s0;\n"));
        break;
    case 3:
        node_add(n, node_fixed(text_of("poke(&xs[l], %s);\n", number(&own, false))));
        break;
    case 1:
        node_add(n, node_fixed(text_of("xs[(l + 3) %% n].f%u = %s;\n", i,
                                       expression(&own, making.program->palette[i], false, 2))));
        break;
    case 2:
        node_add(n, node_fixed(text_of("xs[l] = sa[(%s) %% 3u];\nxs[l].e[1] = %s;\n", number(&own, false),
                                       number(&own, false))));
        break;
    default:
        node_add(n, node_fixed(text_of("for (uint q = 0; q < 4; q++) xs[l].b.bytes[q] = (uchar)(%s);\n",
                                       number(&own, false))));
    }
    add_barrier(n, f, false);
    if (kernels_roll(2))
        node_add(n, node_fixed(text_of("%s = xs[(%s) %% n];\n", kernels_roll(2) ? "s0" : "sa[l % 3u]",
                                       number(f, false))));
    return n;
}

static struct node *collective(const struct frame *f, bool of_subgroup) {
    static const char *const functions[] = {"reduce_add",         "reduce_min",         "reduce_max",
                                            "scan_inclusive_add", "scan_exclusive_add", "scan_inclusive_max",
                                            "scan_inclusive_min", "broadcast"};
    unsigned i = kernels_roll(PALETTE), which = kernels_roll(8);
    struct type t = making.program->palette[i];
    if (!f->kernel || t.n != 1 || base_types[t.base].size == 1 ||
        (base_types[t.base].size == 2 && t.base != 10))
        i = 0, t = uint_type();
    const char *name = type_name(t);
    bool floats = base_types[t.base].kind == FLOATING;
    const char *value = floats ? text_of("(%s)(%s & %uu)", name, number(f, false), t.base == 10 ? 7 : 63)
                               : expression(f, t, false, 2);
    if (of_subgroup && f->kernel)
        return node_new(which == 7
                            ? text_of("v%u_0 = (%s)sub_group_broadcast(%s, (%s) %% get_sub_group_size());\n",
                                      i, name, value, number(f, true))
                            : text_of("v%u_0 = (%s)sub_group_%s(%s);\n", i, name, functions[which], value),
                        "");
    const char *to = !f->kernel ? "r" : which < 3 || which == 7 ? text_of("y%u", i) : text_of("v%u_0", i);
    if (which == 7)
        return node_new(text_of("%s = (%s)work_group_broadcast_linear(%s, (%s) %% n);\n",
                                f->kernel ? to : "r", f->kernel ? name : "uint", value, number(f, true)),
                        "");
    return node_new(
        text_of("%s = (%s)work_group_%s(%s);\n", to, f->kernel ? name : "uint", functions[which], value), "");
}

static struct node *asynchronous(const struct frame *f) {
    unsigned i = kernels_roll(PALETTE);
    if (!f->kernel)
        return exchange(f);
    static const char *const copies[] = {
        "async_work_group_copy(x%u, in%u + (%s & 31u), min(n, 32u), 0)",
        "async_work_group_copy(g%u, (local %s *)x%u, n, 0)",
        "async_work_group_strided_copy_in(x%u, in%u + (%s & 3u), min(n, 20u), 3, 0)",
        "async_work_group_strided_copy_out(g%u, (local %s *)x%u, (n + 1) / 2, 2, 0)",
    };
    struct frame own = *f;
    own.own = true;
    unsigned which = kernels_roll(4);
    const char *copy, *name = type_name(making.program->palette[i]);
    if (which % 2)
        copy = text_of(copies[which], i, name, i);
    else
        copy = text_of(copies[which], i, i, number(&own, true)); /* others may copy already */
    return node_new(text_of("{\n%sevent_t e = %s;\nwait_group_events(1, &e);\n}\n",
                            "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n", copy),
                    "");
}

static struct node *counting(const struct frame *f) {
    static const char *const operations[] = {"atomic_add", "atomic_or", "atomic_xor", "atomic_max",
                                             "FETCH_add",  "FETCH_or",  "FETCH_xor",  "FETCH_max"};
    if (!f->kernel || f->atomic)
        return exchange(f);
    struct node *n = node_new("{\n", "}\n");
    struct frame in = *f;
    node_add(n, node_fixed("barrier(CLK_LOCAL_MEM_FENCE);\nif (l == 0) counter = total = "
                           "0;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"));
    in.own = true;
    in.uniform = in.breaks = in.continues = false;
    in.returned = NULL;
    switch (kernels_roll(3)) {
    case 0: /* tickets: each work-item has one of its own */
        node_add(n, node_fixed(text_of("{ uint k = atomic_inc(&counter);\nx0[k] = k * (%s) + 1; }\n",
                                       number(&in, true))));
        break;
    default:
        in.atomic = operations[kernels_roll(8)];
        node_add(n, random_block(in, 1 + kernels_roll(3)));
    }
    node_add(n, node_fixed("barrier(CLK_LOCAL_MEM_FENCE);\n"));
    return n;
}

static struct node *subgroup_exchange(const struct frame *f) {
    unsigned i = kernels_roll(PALETTE);
    if (!f->kernel || !making.program->subgroups)
        return exchange(f);
    static const char *const some[] = {"", "", "if ((get_sub_group_id() & 1u) == 0u) ",
                                       "if (get_sub_group_id() >= ((%s) & 3u)) ",
                                       "for (uint s = 0u; s < ((get_sub_group_id() + (%s)) & 3u); s++) "};
    struct frame own = *f;
    own.own = true;
    own.uniform = false;
    struct node *n = node_new(text_of("{\nbarrier(CLK_LOCAL_MEM_FENCE);\n%s{\n",
                                      text_of(some[kernels_roll(5)], number(&own, true))),
                              "}\nbarrier(CLK_LOCAL_MEM_FENCE);\n}\n");
    for (unsigned k = 1 + kernels_roll(2); k; k--) {
        struct type t = making.program->palette[i];
        node_add(n, node_fixed(text_of(
                        "x%u[l] = %s;\nsub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "v%u_%u = x%u[l - get_sub_group_local_id() + (get_sub_group_local_id() + %u) %% "
                        "get_sub_group_size()];\nsub_group_barrier(CLK_LOCAL_MEM_FENCE);\n",
                        i, expression(&own, t, false, 2), i, kernels_roll(2), i, kernels_roll(5))));
    }
    return n;
}

static struct node *call(const struct frame *f) {
    unsigned i = kernels_roll(2), k = kernels_roll(PALETTE);
    struct type t = making.program->palette[i];
    if (!f->kernel)
        return assignment(f);
    if (f->uniform && f->exchange[0] && kernels_roll(3))
        return node_new(text_of("v0_%u = helper%u(%s, &v%u_1, x%u, g%u, %s, l, n);\n", kernels_roll(2), i,
                                expression(f, t, false, 1), i, i, i, number(f, true)),
                        "");
    static const char *const targets[] = {"&v%u_1", "&a%u[l & 7]", "&o%u[l * 2 + 1]", "&OWN_PLACE(m%u, 2)",
                                          "p%u"};
    const char *target = text_of(targets[kernels_roll(5)], k);
    return node_new(text_of("v%u_0 = item%u(%s, %s, %s, n);\n", k, k,
                            expression(f, making.program->palette[k], false, 1), target, number(f, false)),
                    "");
}

/* ---- control flow -------------------------------------------------------------------------------------------------- */

static struct node *branch(struct frame f) {
    unsigned parts = 1 + kernels_roll(2);
    struct node *n = node_new(text_of("if (%s) {\n", condition(&f)), "}\n");
    for (unsigned b = 0; b < parts; b++) {
        if (b)
            node_add(n, node_fixed("} else {\n"));
        node_add(n, random_block(f, 1 + kernels_roll(2)));
    }
    return n;
}

static struct node *cases(struct frame f) {
    f.breaks = false;
    static const char *const values[] = {"(%s) & 3u", "(char)((%s) << 6) >> 6", "(long)((%s) & 3u) - 2L"};
    unsigned form = kernels_roll(3);
    const char *value = text_of(values[form], number(&f, f.uniform));
    struct node *n = node_new(text_of("switch (%s) {\n", value), "}\n");
    unsigned other = kernels_roll(4);
    for (unsigned b = 0; b < 4; b++) {
        node_add(n, node_fixed(b == other ? "default:;\n" : text_of("case %d:;\n", (int)b - (form ? 2 : 0))));
        node_add(n, random_block(f, 1));
        if (kernels_roll(3))
            node_add(n, node_fixed("break;\n"));
    }
    return n;
}

static struct node *jump_over(struct frame f) {
    unsigned label = making.labels_used++;
    struct node *n =
        node_new(text_of("if (%s) goto L%u;\n", condition(&f), label), text_of("L%u:;\n", label));
    node_add(n, random_block(f, 1 + kernels_roll(2)));
    return n;
}

static struct node *loop(struct frame f) {
    unsigned t = making.counters_used++, label = making.labels_used++;
    const char *bound = text_of(kernels_roll(6) ? "(%s) & 3u" : "(%s) %% 19u", number(&f, f.uniform));
    struct node *n;
    unsigned kind = kernels_roll(11), places = f.places->n;
    f.breaks = f.continues = kind != 3 || (f.breaks && f.continues);
    switch (kind) {
    case 0:
        n = node_new(text_of("t%u = 0; while (t%u++ < 4 && (%s)) {\n", t, t, condition(&f)), "}\n");
        break;
    case 1:
        n = node_new(text_of("t%u = 0; do {\n", t),
                     text_of("} while (++t%u < 3 && (%s));\n", t, condition(&f)));
        break;
    case 2: /* also entered in its middle */
        n = node_new(text_of("t%u = 0; if (%s) goto L%u;\nfor (t%u = 0; t%u < (%s); t%u++) {\n", t,
                             condition(&f), label, t, t, bound, t),
                     "}\n");
        break;
    case 3:
        n = node_new(text_of("t%u = 0;\nL%u:;\n", t, label),
                     text_of("if (++t%u < (%s)) goto L%u;\n", t, bound, label));
        break;
    case 6:
        n = node_new(text_of("for (t%u = %s; t%u-- > 0;) {\n", t, bound, t), "}\n");
        break;
    case 9: /* a count that wraps around */
        n = node_new(
            text_of("{\nuchar c = 253, end = (uchar)(253u + (%s));\nfor (t%u = 0; c != end; c++, t%u++) {\n",
                    bound, t, t),
            "}\n}\n");
        break;
    case 10:
        n = node_new(
            text_of("{\nlong c = -(long)(%s);\nfor (t%u = 0; c < 0; c += 2, t%u++) {\n", bound, t, t),
            "}\n}\n");
        break;
    case 7:
        n = node_new(text_of("for (t%u = 1; t%u <= (%s); t%u %s) {\n", t, t, bound, t,
                             kernels_roll(2) ? "<<= 1" : "+= 3"),
                     "}\n");
        break;
    default:
        n = node_new(text_of("for (t%u = 0; t%u < (%s); t%u++) {\n", t, t, bound, t), "}\n");
    }
    place_add(f.places, uint_type(), text_of("t%u", t), f.uniform, false, false);
    node_add(n, random_block(f, 1 + kernels_roll(2)));
    if (kind == 2) {
        node_add(n, node_fixed(text_of("L%u:;\n", label)));
        node_add(n, random_block(f, 1));
    }
    f.places->n = places;
    return n;
}

/* Out of two loops at once. */
static struct node *jump_out(struct frame f) {
    unsigned t = making.counters_used++, label = making.labels_used++;
    struct node *n =
        node_new(text_of("for (t%u = 0; t%u < 2u; t%u++) {\n", t, t, t), text_of("}\nL%u:;\n", label));
    f.breaks = f.continues = true;
    struct node *inner = loop(f);
    node_add(inner, node_fixed(text_of("if (%s) goto L%u;\n", condition(&f), label)));
    node_add(n, inner);
    node_add(n, random_block(f, 1));
    return n;
}

static struct node *leave(const struct frame *f) {
    if (f->breaks && kernels_roll(2))
        return node_new(text_of("if (%s) break;\n", condition(f)), "");
    if (f->continues && kernels_roll(2))
        return node_new(text_of("if (%s) continue;\n", condition(f)), "");
    if (f->returned && !kernels_roll(2))
        return node_new(text_of("if (%s) { %s }\n", condition(f), f->returned), "");
    return assignment(f);
}

static struct node *nested(struct frame f) {
    if (f.level <= 0 || !making.statements_left || making.counters_used + 2 >= COUNTERS_OF_LOOPS)
        return assignment(&f);
    making.statements_left--;
    f.level--;
    if (f.uniform && !kernels_roll(3)) {
        f.uniform = f.breaks = f.continues = false;
        f.returned = NULL;
    }
    switch (kernels_roll(8)) {
    case 0:
    case 1:
        return branch(f);
    case 2:
        return cases(f);
    case 3:
        return jump_over(f);
    case 4:
        return jump_out(f);
    default:
        return loop(f);
    }
}

static struct node *random_statement(const struct frame *f) {
    if (f->atomic && !kernels_roll(6)) /* it adds, too */
        return node_new(text_of("for (uint o = 0;;) { o = *(volatile local uint *)&total; if "
                                "(atomic_cmpxchg(&total, o, o + (%s)) == "
                                "o) break; }\n",
                                number(f, false)),
                        "");
    struct node *n = NULL;
    if (!kernels_roll(12))
        n = kernels_roll(4) ? random_row(f, number(f, kernels_roll(2))) : random_fence();
    if (f->uniform && !f->own && !kernels_roll(8))
        n = random_pattern(f, number(f, true));
    else if (f->uniform && f->kernel && !f->own && making.program->subgroups && !kernels_roll(6))
        n = kernels_roll(2) ? subgroup_exchange(f) : collective(f, true);
    if (n)
        return n;
    if (f->kernel && !kernels_roll(24))
        return node_new(kernels_roll(2)
                            ? text_of("poke(&s0, %s);\n", number(f, false))
                            : text_of("poke(&sa[(%s) %% 3u], %s);\n", number(f, false), number(f, false)),
                        "");
    if (f->kernel && !kernels_roll(16))
        return node_new(
            kernels_roll(2)
                ? text_of("s0 = twist(sa[(%s) %% 3u], %s);\n", number(f, false), number(f, false))
                : text_of("sa[(%s) %% 3u] = twist(s0, %s);\n", number(f, false), number(f, false)),
            "");
    if (f->atomic && kernels_roll(2))
        return node_new(text_of("%s(&counter, %s);\n", f->atomic, number(f, false)), "");
    switch (kernels_roll(f->uniform ? 20 : 10)) {
    case 0:
    case 1:
        return assignment(f);
    case 2:
        return kernels_roll(2) ? pointer(f) : vector_memory(f);
    case 3:
        return call(f);
    case 4:
        return leave(f);
    case 5:
        return f->kernel ? node_new(text_of("atomic_add(&cells[%u], %s);\n", kernels_roll(COUNTERS),
                                            number(f, false)),
                                    "")
                         : assignment(f);
    case 6:
    case 7:
    case 8:
    case 9:
        return nested(*f);
    case 10:
    case 11:
        return uniform_assignment(f);
    case 12:
        return kernels_roll(3) ? structs(f) : texels(f);
    case 13:
        return collective(f, false);
    case 14:
        return asynchronous(f);
    case 15:
        return counting(f);
    case 16:
        return making.program->subgroups && kernels_roll(2) ? collective(f, true) : subgroup_exchange(f);
    default:
        return exchange(f);
    }
}

struct node *random_block(struct frame f, unsigned length) {
    struct node *n = node_new("{\n", "}\n");
    for (; length; length--)
        node_add(n, random_statement(&f));
    return n;
}
