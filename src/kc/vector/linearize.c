/* linearize.c: where the lanes of a pack walk on different paths, and in which order their blocks run.
 *
 * In: a region and its pack's uniformity. Out: struct linear. A branch on which lanes may part makes all nodes up
 * to its immediate post-dominator divergent; overlapping sets of such nodes are an island. An island has one node
 * that all leave to. Its nodes run in one order, topological but for loops, whose nodes lie together (a span) and
 * run again while a lane waits for one of them. Lanes wait at nodes in masks, so any order is right, also for
 * irreducible loops; this one lets lanes of a natural loop run its iterations in step. It is that of the whole
 * function, on which uniformity rests: a region may begin in the middle of a loop, and lanes on their way to a barrier
 * in it belong to their iteration. Real branches remain outside islands (compare Moll and Hack, "Partial Control-Flow
 * Linearization", 2018, whose order is this one; they keep uniform branches inside divergent regions as well).
 *
 *     entry: br i1 %varies, label %a, label %b
 *     a:     br i1 %uniform, label %c, label %b     an island of a, c, b in this order; all leave it to d
 *     c:     br label %d
 *     b:     br label %d
 * What it can't do: branch inside an island where all lanes that are on agree, but past a block for which none waits. */
#include "wg.h"
#include <string.h>

struct ordering {
    struct linear *l;
    unsigned *stamp; /* by node: the set it belongs to in the current recursion */
    unsigned stamps;
};

/* The node of a loop where it is entered; the first such one if there are several. */
static unsigned header_of(struct ordering *o, void **nodes, size_t n, unsigned stamp) {
    for (size_t i = 0; i < n; i++) {
        o->stamp[(uintptr_t)nodes[i]] = stamp;
    }
    unsigned best = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        unsigned v = (unsigned)(uintptr_t)nodes[i];
        for (unsigned p = 0; p < o->l->g->npred[v]; p++) {
            if (o->stamp[o->l->g->pred[v][p]] != stamp && v < best) {
                best = v;
            }
        }
    }
    return best == UINT32_MAX ? (unsigned)(uintptr_t)nodes[0] : best;
}

static void place(struct ordering *o, unsigned island, unsigned node, unsigned span) {
    struct linear *l = o->l;
    l->place[node] = l->length[island];
    l->innermost[node] = span;
    l->order[island][l->length[island]++] = node;
}

static void order(struct ordering *o, unsigned island, void **nodes, size_t n, unsigned parent) {
    unsigned stamp = ++o->stamps;
    for (size_t i = 0; i < n; i++) {
        o->stamp[(uintptr_t)nodes[i]] = stamp;
    }
    struct components found = {0};
    graph_components(o->l->g, o->stamp, stamp, nodes, n, &found);
    for (size_t i = found.starts.n, end = found.nodes.n; i-- > 0;) {
        size_t start = (size_t)(uintptr_t)found.starts.at[i];
        void **part = found.nodes.at + start;
        unsigned first = (unsigned)(uintptr_t)part[0];
        if (end - start == 1 && !graph_has_edge(o->l->g, first, first)) {
            place(o, island, first, parent);
        } else {
            unsigned header = header_of(o, part, end - start, ++o->stamps), span = o->l->nspans++;
            o->l->spans[span] = (struct span){island, o->l->length[island], 0, parent};
            place(o, island, header, span);
            struct list rest = {0};
            for (size_t k = 0; k < end - start; k++) {
                if ((uintptr_t)part[k] != header) {
                    list_add(&rest, part[k]);
                }
            }
            o->stamp[header] = 0;
            order(o, island, rest.at, rest.n, span);
            o->l->spans[span].last = o->l->length[island] - 1;
        }
        end = start;
    }
}

/* ---- islands ---- */

static unsigned find(unsigned *parent, unsigned v) {
    while (parent[v] != v) {
        v = parent[v] = parent[parent[v]];
    }
    return v;
}

/* Joins all nodes between a branch where lanes part and where they meet into one set. */
static void spread(const struct graph *g, unsigned x, unsigned meet, unsigned *parent,
                   unsigned char *divergent) {
    unsigned *work = job_alloc((g->n + 1) * sizeof *work), count = 0;
    unsigned char *seen = job_alloc(g->n + 1);
    for (unsigned i = 0; i <= count; i++) {
        unsigned v = i ? work[i - 1] : x;
        for (unsigned s = 0; s < g->nsucc[v]; s++) {
            unsigned w = g->succ[v][s];
            if (w != meet && !seen[w]) {
                seen[w] = divergent[w] = 1;
                work[count++] = w;
                parent[find(parent, w)] = find(parent, work[0]);
            }
        }
    }
}

static void find_after(struct linear *l) {
    for (unsigned v = 0; v < l->g->n; v++) {
        for (unsigned s = 0; l->island[v] != UINT32_MAX && s < l->g->nsucc[v]; s++) {
            if (l->island[l->g->succ[v][s]] != l->island[v]) {
                l->after[l->island[v]] = l->g->succ[v][s];
            }
        }
    }
}

static struct linear *linear_new(struct graph *g, unsigned nblocks) {
    struct linear *l = job_alloc(sizeof *l);
    size_t bytes = (g->n + 1) * sizeof(unsigned);
    l->g = g;
    l->nblocks = nblocks;
    l->island = job_alloc(bytes);
    l->place = job_alloc(bytes);
    l->innermost = job_alloc(bytes);
    l->length = job_alloc(bytes);
    l->after = job_alloc(bytes);
    l->order = job_alloc((g->n + 1) * sizeof *l->order);
    l->spans = job_alloc((g->n + 1) * sizeof *l->spans);
    memset(l->island, 0xff, bytes);
    memset(l->after, 0xff, bytes);
    memset(l->innermost, 0xff, bytes);
    return l;
}

static struct linear *linear_whole(struct graph *g) {
    struct linear *l = linear_new(g, g->n);
    struct ordering o = {l, job_alloc((g->n + 1) * sizeof(unsigned)), 0};
    struct list all = {0};
    for (unsigned v = 0; v < g->n; v++) {
        list_add(&all, (void *)(uintptr_t)v);
        l->island[v] = 0;
    }
    l->order[0] = job_alloc(g->n * sizeof(unsigned));
    order(&o, 0, all.at, all.n, UINT32_MAX);
    return l;
}

/* The loops that are left of the function's in the island: spans of its nodes, which lie in the function's order. */
static void find_spans(struct linear *l, unsigned island, const struct linear *whole, const unsigned *block) {
    unsigned *span = job_alloc((whole->nspans + 1) * sizeof *span); /* of the function -> 1 + of the island */
    for (unsigned i = 0; i < l->length[island]; i++) {
        unsigned from = l->order[island][i];
        for (unsigned e = 0; e < l->g->nsucc[from]; e++) {
            unsigned to = l->g->succ[from][e];
            if (l->island[to] != island || to >= l->nblocks || l->place[to] > i) {
                continue;
            }
            unsigned s = whole->innermost[block[from]];
            while (!linearize_holds(whole, s, block[to])) {
                s = whole->spans[s].parent;
            }
            span[s] = 1;
        }
    }
    for (unsigned s = 0; s < whole->nspans; s++) { /* outer ones come first */
        unsigned outer = whole->spans[s].parent;
        if (span[s]) {
            l->spans[l->nspans] = (struct span){island, UINT32_MAX, 0, UINT32_MAX};
            while (outer != UINT32_MAX && !span[outer]) {
                outer = whole->spans[outer].parent;
            }
            l->spans[l->nspans].parent = outer == UINT32_MAX ? UINT32_MAX : span[outer] - 1;
            span[s] = ++l->nspans;
        }
    }
    for (unsigned i = 0; i < l->length[island]; i++) {
        unsigned node = l->order[island][i];
        unsigned s = node < l->nblocks ? whole->innermost[block[node]] : UINT32_MAX;
        while (s != UINT32_MAX && !span[s]) {
            s = whole->spans[s].parent;
        }
        l->innermost[node] = s == UINT32_MAX ? s : span[s] - 1;
        for (unsigned t = l->innermost[node]; t != UINT32_MAX; t = l->spans[t].parent) {
            l->spans[t].first = i < l->spans[t].first ? i : l->spans[t].first;
            l->spans[t].last = i;
        }
    }
}

static struct linear *linear_of(struct wg *wg, const struct region *r) {
    struct linear *l = linear_new(region_graph(wg, r), (unsigned)r->blocks.n);
    unsigned n = l->g->n, *ipdom = graph_ipdom(l->g);
    unsigned *block = job_alloc((n + 1) * sizeof *block);
    unsigned *sorted = job_alloc((wg->cfg->n + 1) * sizeof *sorted); /* by place in the function: 1 + node */
    unsigned *parent = job_alloc((n + 1) * sizeof *parent);
    unsigned char *divergent = job_alloc(n + 1);
    for (unsigned v = 0; v < n; v++) {
        parent[v] = v;
    }
    for (unsigned v = 0; v < l->nblocks; v++) {
        block[v] = (unsigned)(uintptr_t)r->blocks.at[v];
        sorted[wg->whole->place[block[v]]] = v + 1;
        if (!uniform_is(wg->pack, LLVMGetBasicBlockTerminator(wg->blocks[block[v]]))) {
            spread(l->g, v, ipdom[v], parent, divergent);
        }
    }
    unsigned *found = job_alloc((n + 1) * sizeof *found);        /* by root of a set: 1 + island */
    for (unsigned i = 0; i < wg->cfg->n + n - l->nblocks; i++) { /* exits come last: lanes don't wait there */
        unsigned v = i >= wg->cfg->n ? l->nblocks + i - wg->cfg->n : sorted[i] - 1;
        if (v == UINT32_MAX || !divergent[v]) {
            continue;
        }
        unsigned root = find(parent, v);
        if (!found[root]) {
            l->order[l->nislands] = job_alloc((n + 1) * sizeof(unsigned));
            found[root] = ++l->nislands;
        }
        unsigned island = l->island[v] = found[root] - 1;
        l->place[v] = l->length[island];
        l->order[island][l->length[island]++] = v;
    }
    for (unsigned island = 0; island < l->nislands; island++) {
        find_spans(l, island, wg->whole, block);
    }
    find_after(l);
    return l;
}

void linearize_regions(struct wg *wg) {
    wg->whole = linear_whole(wg->cfg);
    wg->masked = job_alloc(wg->cfg->n);
    for (unsigned n = 0; n < wg->nregions; n++) {
        struct region *r = &wg->regions[n];
        r->linear = linear_of(wg, r);
        for (size_t i = 0; i < r->blocks.n; i++) {
            wg->masked[(uintptr_t)r->blocks.at[i]] |= r->linear->island[i] != UINT32_MAX;
        }
    }
}

bool linearize_holds(const struct linear *l, unsigned span, unsigned node) {
    const struct span *s = &l->spans[span];
    return l->island[node] == s->island && l->place[node] >= s->first && l->place[node] <= s->last;
}
