/* patterns.c: what work-items of a group usually do together: sums of trees, scans, sorting networks, transpositions, stencils,
 * copies in strides; in memory of the group, with a barrier in each round. And what one work-item does with a row of its own. */
#include "kernels.h"

static const char *joined(struct type t, const char *a, const char *b) {
    if (base_types[t.base].kind == FLOATING)
        return text_of("fit((%s)(%s))", type_name(t), wrapped(t, a, '+', b));
    return wrapped(t, a, "+^*"[kernels_roll(3)], b);
}

static const char *place(const char *x, const char *at) {
    return text_of("%s[%s]", x, at);
}

/* Half of the work-items are left in each round. */
static void tree(struct node *n, struct type t, const char *x, const char *barrier) {
    static const char *const forms[] = {
        "for (uint s = n / 2u; s > 0u; s >>= 1) {\nif (l < s) %s = %s;\n%s}\n",
        "for (uint s = 1u; s < n; s *= 2u) {\nif (l %% (2u * s) == 0u && l + s < n) %s = %s;\n%s}\n",
        "for (uint s = 64u; s > 0u; s /= 2u) {\nif (l < s && l + s < n) %s = %s;\n%s}\n",
        "for (uint s = (n + 1u) / 2u, left = n; left > 1u; left = s, s = (s + 1u) / 2u) {\n"
        "if (l + s < left) %s = %s;\n%s}\n"};
    const char *to = place(x, "l"), *value = joined(t, to, place(x, "l + s"));
    const char *form = forms[kernels_roll(4)];
    node_add(n, node_new(text_of(form, to, value, barrier), ""));
}

static void scan(struct node *n, struct type t, const char *x, const char *barrier) {
    const char *name = type_name(t);
    node_add(n, node_new(text_of("for (uint s = 1u; s < n; s <<= 1) {\n%s other = l >= s ? %s : %s;\n%s"
                                 "if (l >= s) %s = %s;\n%s}\n",
                                 name, place(x, "l - s"), place(x, "l"), barrier, place(x, "l"),
                                 joined(t, place(x, "l"), "other"), barrier),
                         ""));
}

static void network(struct node *n, struct type t, const char *x, const char *barrier) {
    const char *part = t.n > 1 ? text_of(".s%x", kernels_roll(t.n)) : "", *name = type_name(t);
    node_add(n,
             node_new(text_of("for (uint k = 2u; k <= n; k <<= 1)\nfor (uint j = k >> 1; j > 0u; j >>= 1) {\n"
                              "uint p = l ^ j;\n"
                              "if (p > l && p < n && (%s[l]%s > %s[p]%s) == ((l & k) == 0u)) {\n"
                              "%s other = %s[l]; %s[l] = %s[p]; %s[p] = other;\n}\n%s}\n",
                              x, part, x, part, name, x, x, x, x, barrier),
                      ""));
}

static void stencil(struct node *n, struct type t, const char *x, const char *barrier, const char *rounds) {
    static const char *const before[] = {"l > 0u ? l - 1u : 0u", "(l + n - 1u) % n", "max((int)l - 2, 0)"},
                             *const after[] = {"l + 1u < n ? l + 1u : l", "(l + 1u) % n",
                                               "min(l + 3u, n - 1u)"};
    unsigned form = kernels_roll(3);
    const char *value = joined(t, place(x, before[form]), place(x, after[form]));
    node_add(n,
             node_new(text_of("for (uint s = 0u; s < ((%s) & 3u); s++) {\n%s own = %s;\n%s%s = own;\n%s}\n",
                              rounds, type_name(t), value, barrier, place(x, "l"), barrier),
                      ""));
}

static void transposition(struct node *n, struct type t, const char *x, const char *barrier) {
    static const char *const places[] = {"l % 4u * (n / 4u) + l / 4u", "l / 8u + l % 8u * (n / 8u)",
                                         "(l & 15u) * (n / 16u) + (l >> 4)", "n - 1u - l",
                                         "(uint)(get_local_id(0) * get_local_size(1) + get_local_id(1) + "
                                         "get_local_id(2) * get_local_size(0) * get_local_size(1))"},
                             *const bounds[] = {"n % 4u", "n % 8u", "n % 16u", "0u", "0u"};
    unsigned form = kernels_roll(5);
    const char *at = text_of("(%s ? l : %s)", bounds[form], places[form]);
    bool writes = kernels_roll(2);
    node_add(n, node_new(text_of("{\n%s own = %s;\n%s%s = own;\n%s}\n", type_name(t),
                                 place(x, writes ? "l" : at), barrier, place(x, writes ? at : "l"), barrier),
                         ""));
}

/* Where it begins to read is computed before a barrier: it may go by elements that the copy overwrites. */
static void copies(struct node *n, unsigned i, const char *x, const char *barrier, const char *from) {
    static const char *const forms[] = {
        "for (uint q = l; q < 128u; q += n) %s[q] = in%u[(q + from) & 63u];\n%s}\n",
        "for (uint q = l; q < 96u; q += n) %s[q] = in%u[(q * 2u + from) & 63u];\n%s}\n",
        "for (uint q = 0u; q < 128u / n; q++) %s[l * (128u / n) + q] = "
        "in%u[(l * 5u + q + from) & 63u];\n%s}\n"};
    const char *form = forms[kernels_roll(3)], *loop = text_of(form, x, i, barrier);
    node_add(n, node_new(text_of("{\nuint from = %s;\n%s%s", from, barrier, loop), ""));
}

struct node *random_pattern(const struct frame *f, const char *uniform_number) {
    unsigned i = kernels_roll(PALETTE);
    struct type t = making.program->palette[i];
    bool global = f->global_exchange[i] && !kernels_roll(3);
    const char *x = global ? f->global_exchange[i] : f->exchange[i];
    if (!x)
        return NULL;
    const char *barrier = barrier_text(global);
    struct node *n = node_new(text_of("{\n%s", barrier), "}\n");
    switch (kernels_roll(6)) {
    case 0:
        tree(n, t, x, barrier);
        break;
    case 1:
        scan(n, t, x, barrier);
        break;
    case 2:
        network(n, t, x, barrier);
        break;
    case 3:
        stencil(n, t, x, barrier, uniform_number);
        break;
    case 4:
        if (f->kernel) {
            copies(n, i, x, barrier, uniform_number);
            break; /* a helper has no input */
        }
        /* fallthrough */
    default:
        transposition(n, t, x, barrier);
    }
    return n;
}

/* Work-items come back to where they left a loop. The fence keeps what they wrote there out of registers. */
static struct node *left_place(unsigned i, struct type t, const char *number) {
    const char *sum = text_of("v%u_%u", i, kernels_roll(2)), *place = text_of("OWN_PLACE(m%u, at)", i);
    return node_new(text_of("{\nuint at, q = 0u;\ndo {\nat = q;\n%s = %s;\n} while (++q < ((%s) & 3u));\n"
                            "mem_fence(CLK_GLOBAL_MEM_FENCE);\n%s = %s;\n}\n",
                            place, sum, number, sum, joined(t, sum, place)),
                    "");
}

struct node *random_row(const struct frame *f, const char *number) {
    unsigned i = kernels_roll(PALETTE);
    struct type t = making.program->palette[i];
    static const char *const elements[] = {"OWN_PLACE(m%u, q)",
                                           "in%u[(id * 4u + q) & 63u]",
                                           "in%u[(l + q * 8u) & 63u]",
                                           "in%u[(q * 16u + lx) & 63u]",
                                           "a%u[q]",
                                           "o%u[l * 2u + (q & 1u)]"};
    if (!f->kernel)
        return NULL;
    if (!kernels_roll(4))
        return left_place(i, t, number);
    const char *form = elements[kernels_roll(6)];
    const char *element = text_of(form, i), *sum = text_of("v%u_%u", i, kernels_roll(2));
    return node_new(text_of("for (uint q = 0u; q < %s; q++) %s = %s;\n",
                            kernels_roll(3) ? "4u" : text_of("((%s) & 3u)", number), sum,
                            joined(t, sum, element)),
                    "");
}

struct node *random_fence(void) {
    static const char *const flags[] = {"CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                        "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"},
                             *const orders[] = {"acquire", "release", "acq_rel", "seq_cst"},
                             *const scopes[] = {"work_group", "device", "all_svm_devices"},
                             *const old[] = {"mem_fence", "read_mem_fence", "write_mem_fence"};
    const char *flag = flags[kernels_roll(3)];
    return node_new(kernels_roll(2)
                        ? text_of("%s(%s);\n", old[kernels_roll(3)], flag)
                        : text_of("atomic_work_item_fence(%s, memory_order_%s, memory_scope_%s);\n", flag,
                                  orders[kernels_roll(4)], scopes[kernels_roll(3)]),
                    "");
}
