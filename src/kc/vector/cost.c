/* cost.c: about how many cycles a kernel takes for each of its work-items, in packs and one by one.
 *
 * In: k->run with its regions, the uniformity of its packs and where lanes part, before values become slots. Out: cycles of
 * one work-item, which width.c compares, and where lanes part. What counts is how often a block runs (frequency.c), what its
 * instructions take (cycles.c), and how long a round of a loop waits for the one before, or for the longest chain of values in it
 * (latency.c). A work-item alone computes several rounds at once where LLVM makes vectors of them (analysis/counted_loop.c).
 *     for (e = first[n]; e < first[n + 1]; e++) if (cost[to[e]] < 0) next[to[e]] = 1;    gathers in 16 lanes: one by one
 *     while (v != 1) v = v & 1 ? 3 * v + 1 : v / 2;                                     nothing but arithmetic: packs
 * What it can't do: know the data and caches, and what waits for a store to memory. */
#include "cost.h"

/* Of work-items one by one: the rounds that LLVM makes vectors of. */
static double rounds_at_once(const struct cost *c, unsigned span) {
    const struct span *s = &c->whole->spans[span];
    return c->width == 1 && s->first == s->last
               ? counted_loop_rounds(c->wg->k, c->wg->blocks[c->whole->order[s->first]])
               : 1;
}

/* Lanes of a pack that have a work-item, in the mean: the last pack of a row may be short. */
static double lanes_of_pack(const struct cost *c) {
    uint32_t row = c->wg->k->local_size[0], packs = (row + c->width - 1) / c->width;
    return row && c->wg->k->rows == 1 ? (double)row / packs : c->width;
}

/* Without the nodes `left_out` (NULL: none). */
static double total(struct cost *c, const bool *left_out) {
    const double VECTORS = 2, VECTORS_BEGIN = 6; /* a vector's round by a scalar one; what comes first */
    double all = 0, *of_span = job_alloc((c->whole->nspans + 1) * sizeof *of_span);
    for (unsigned node = 0; node < c->wg->cfg->n; node++) {
        unsigned span = c->whole->innermost[node];
        double here = left_out && left_out[node] ? 0
                                                 : frequency_of(c, node, span, c->share[node], false) *
                                                       cycles_of_block(c, node, span);
        *(span == NONE ? &all : &of_span[span]) += here;
    }
    for (unsigned s = c->whole->nspans; s-- > 0;) { /* inner ones come last */
        unsigned header = c->whole->order[c->whole->spans[s].first], outer = c->whole->spans[s].parent;
        double begins = frequency_of(c, header, outer, c->entered[s], true), rounds = rounds_at_once(c, s);
        double waits = rounds > 1 ? 0 : latency_of_round(c, s) / latency_hidden(c, s),
               chained = c->width > 1 && !c->never_waits ? latency_of_chain(c, s) : 0,
               round = of_span[s] > waits ? of_span[s] : waits;
        round = round > chained ? round : chained;
        double whole = rounds > 1 ? VECTORS_BEGIN + VECTORS * frequency_rounds(c, s) / rounds * round
                                  : frequency_rounds(c, s) * frequency_lateness(c, s) * round;
        *(outer == NONE ? &all : &of_span[outer]) += left_out && left_out[header] ? 0 : begins * whole;
    }
    double chained = c->width > 1 && !c->never_waits ? latency_of_chain(c, NONE) : 0;
    return (all > chained ? all : chained) / lanes_of_pack(c);
}

static void find(struct cost *c) {
    frequency_find(c);
    c->pressure = c->width > 1 ? register_pressure_find(c->wg, c->width, true) : NULL;
}

bool cost_is_known(const struct wg *wg) {
    enum { MOST_BLOCKS = 8000 };
    return wg->pack && wg->cfg->n <= MOST_BLOCKS;
}

double cost_of_work_item(const struct wg *wg, uint32_t width) {
    struct cost c = {.wg = wg, .width = width};
    find(&c);
    if (width > 1) {
        tuples_look((struct wg *)wg, &c.parts);
    }
    return total(&c, NULL);
}

bool cost_waits(const struct wg *wg, uint32_t width) {
    const double MUCH = 1.1;
    struct cost c = {.wg = wg, .width = width};
    find(&c);
    tuples_look((struct wg *)wg, &c.parts);
    double all = total(&c, NULL);
    c.never_waits = true;
    return all > total(&c, NULL) * MUCH;
}

double cost_of_lines(const struct wg *wg, uint32_t width) {
    struct cost c = {.wg = wg, .width = width, .fetches_all = true};
    find(&c);
    tuples_look((struct wg *)wg, &c.parts);
    double all = total(&c, NULL);
    c.never_fetches = true;
    return all > 0 ? 1 - total(&c, NULL) / all : 0;
}

void cost_of_regions(const struct wg *wg, uint32_t width, double *by_region) {
    struct cost c = {.wg = wg, .width = width};
    find(&c);
    for (unsigned r = 0; r < wg->nregions; r++) {
        unsigned start = wg->regions[r].start, span = c.whole->innermost[start];
        bool has_loop = false;
        for (size_t i = 0; i < wg->regions[r].blocks.n; i++) {
            unsigned node = (unsigned)(uintptr_t)wg->regions[r].blocks.at[i],
                     inner = c.whole->innermost[node];
            while (inner != NONE && inner != span) {
                inner = c.whole->spans[inner].parent;
            }
            has_loop |= inner != c.whole->innermost[node] && inner == span;
            double runs = c.whole->innermost[node] == span && c.share[start] > 0
                              ? frequency_of(&c, node, span, c.share[node], false) / c.share[start]
                              : 0;
            by_region[r] += (runs < 1 ? runs : 1) * cycles_of_block(&c, node, span);
        }
        by_region[r] = has_loop ? 0 : by_region[r] / width;
    }
}

/* Whether the node's branch is one by which its loop is left. */
static bool leaves_loop(const struct cost *c, unsigned node) {
    unsigned span = c->whole->innermost[node];
    return span != NONE && frequency_leaves(c, span, node);
}

/* Whether lanes part after the node: by ids, so that whole packs go one way, or by what they have read or computed. */
static bool parts(const struct cost *c, unsigned node, bool by_range) {
    return frequency_condition(frequency_end(c, node)) && frequency_parts(c, node) &&
           frequency_is_by_range(c, node) == by_range;
}

/* Whether packs are skipped after the node by ids, other than at the edges of all work-groups, and in the last of the rounds that all packs
 * do one after the other. */
static bool skips_by_range(const struct cost *c, unsigned node) {
    unsigned span = c->whole->innermost[node];
    return parts(c, node, true) && !leaves_loop(c, node) &&
           !width_is_edge(c->wg, frequency_condition(frequency_end(c, node))) &&
           (span == NONE || !cycles_has_cut(c, span));
}

/* Whether all packs are in the loop all the time, and none waits for others there. */
static bool is_for_all(const struct cost *c, unsigned span) {
    const struct span *s = &c->whole->spans[span];
    bool is = !c->wg->masked[c->whole->order[s->first]] && !cycles_has_barrier(c, span);
    for (unsigned at = s->first; is && at <= s->last; at++) {
        is = !skips_by_range(c, c->whole->order[at]);
    }
    return is;
}

double cost_of_ranges(const struct wg *wg, uint32_t width) {
    struct cost c = {.wg = wg, .width = width};
    bool *for_all = job_alloc(wg->cfg->n * sizeof *for_all), found = false;
    find(&c);
    tuples_look((struct wg *)wg, &c.parts);
    for (unsigned node = 0; node < wg->cfg->n; node++) {
        found |= skips_by_range(&c, node);
    }
    for (unsigned s = 0; found && s < c.whole->nspans; s++) {
        bool is = is_for_all(&c, s);
        for (unsigned at = c.whole->spans[s].first; is && at <= c.whole->spans[s].last; at++) {
            for_all[c.whole->order[at]] = true;
        }
    }
    double all = found ? total(&c, NULL) : 0;
    return all > 0 ? total(&c, for_all) / all : 0;
}

static bool has_access(const struct wg *wg, bool (*is)(const struct wg *, LLVMValueRef access)) {
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
            if (is_access && !uniform_is(wg->pack, ir_address(i)) && is(wg, i)) {
                return true;
            }
        }
    }
    return false;
}

static int64_t bytes_of(const struct wg *wg, LLVMValueRef access) {
    return (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(wg->k->module), ir_access_type(access));
}

static bool reads_local(const struct wg *wg, LLVMValueRef access) {
    return LLVMIsALoadInst(access) && wg_kind(access) == MEMORY_LOCAL;
}

static bool reads_distant(const struct wg *wg, LLVMValueRef access) {
    return LLVMIsALoadInst(access) && shape_of(wg, access, bytes_of(wg, access)) == SHAPE_REMOTE;
}

static bool gathers(const struct wg *wg, LLVMValueRef access) {
    return LLVMIsALoadInst(access) && wg_kind(access) != MEMORY_LOCAL &&
           shape_of(wg, access, bytes_of(wg, access)) >= SHAPE_REMOTE;
}

/* Whether the value is computed from local ids and constants alone: then it is one, where a pack is the whole work-group. */
static bool is_of_local_id(LLVMValueRef v, unsigned depth) {
    if (LLVMIsConstant(v) || intrinsic_id(v, NULL) == ID_LOCAL) {
        return true;
    }
    bool is = depth && (LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsASelectInst(v) ||
                        LLVMIsAICmpInst(v) || LLVMIsAFreezeInst(v) || ir_is_limit(v));
    for (unsigned n = 0; is && n < (unsigned)LLVMGetNumOperands(v); n++) {
        is = is_of_local_id(LLVMGetOperand(v, n), depth - 1);
    }
    return is;
}

/* Whether all that differs between lanes in the address is known. */
static bool is_known_place(const struct wg *wg, LLVMValueRef at) {
    enum { DEPTH = 10 };
    for (; LLVMIsAGetElementPtrInst(at); at = LLVMGetOperand(at, 0)) {
        for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(at); n++) {
            LLVMValueRef index = LLVMGetOperand(at, n);
            if (!uniform_is(wg->pack, index) && !is_of_local_id(index, DEPTH)) {
                return false;
            }
        }
    }
    return uniform_is(wg->pack, at);
}

/* Of packs that are the whole work-group. */
static bool is_looked_at(const struct wg *wg, LLVMValueRef access) {
    int64_t bytes = bytes_of(wg, access);
    enum shape shape = shape_of(wg, access, bytes);
    bool is_table = LLVMIsALoadInst(access) && table_is(wg, access, bytes);
    return !uniform_offsets(wg->pack, ir_address(access)) && !is_known_place(wg, ir_address(access)) &&
           (shape == SHAPE_LOOKED || (shape == SHAPE_NEAR && !is_table));
}

bool cost_has_local_rows(const struct wg *wg) {
    return has_access(wg, reads_local);
}

bool cost_has_distant_rows(const struct wg *wg) {
    return has_access(wg, reads_distant);
}

bool cost_has_gathers(const struct wg *wg) {
    return has_access(wg, gathers);
}

bool cost_has_calls(const struct wg *wg) {
    return cycles_has_call(&(struct cost){.wg = wg, .width = wg->k->width});
}

bool cost_has_looks(const struct wg *wg) {
    return has_access(wg, is_looked_at);
}

bool cost_has_skips(const struct wg *wg) {
    struct cost c = {.wg = wg, .whole = wg->whole, .width = wg->k->width};
    bool found = false;
    for (unsigned node = 0; !found && node < wg->cfg->n; node++) {
        found = parts(&c, node, false) && !leaves_loop(&c, node);
    }
    return found;
}

/* A branch that a loop is left by comes first, then the one after which most is to do. */
LLVMValueRef cost_of_parting(const struct wg *wg) {
    struct cost c = {.wg = wg, .width = wg->k->width};
    LLVMValueRef found = NULL;
    double most = 0;
    find(&c);
    for (unsigned node = 0; node < wg->cfg->n; node++) {
        double here = !parts(&c, node, false) ? 0 : leaves_loop(&c, node) ? 2 : c.share[node];
        if (here > most) {
            most = here;
            found = frequency_end(&c, node);
        }
    }
    return found;
}
