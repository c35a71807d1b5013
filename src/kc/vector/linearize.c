/* linearize.c: where the lanes of a pack walk on different paths, and in which order their blocks run.
 *
 * In: a region and its pack's uniformity. Out: struct linear. A branch on which lanes may part makes all nodes up
 * to its immediate post-dominator divergent; overlapping sets of such nodes are an island. An island has one node
 * that all leave to. Its nodes run in one order, topological but for loops, whose nodes lie together (a span) and
 * run again while a lane waits for one of them. Lanes wait at nodes in masks, so any order is right, also for
 * irreducible loops; this one lets lanes of a natural loop run its iterations in step. It is that of the whole
 * function, on which uniformity rests: a region may begin in the middle of a loop, and lanes on their way to a barrier
 * in it belong to their iteration. Real branches remain outside islands, and inside one in loops whose lanes all leave
 * together, as in `if (l > k) for (i = 0; i < n; i++) ...`: there all nodes run for the lanes that came to the loop, but
 * for islands of its own (compare Moll and Hack, "Partial Control-Flow Linearization", 2018, whose order is this one;
 * they keep other uniform branches inside divergent regions as well).
 *
 *     entry: br i1 %varies, label %a, label %b
 *     a:     br i1 %uniform, label %c, label %b     an island of a, c, b in this order; all leave it to d
 *     c:     br label %d
 *     b:     br i1 %uniform2, label %b, label %d    a loop that lanes go around together
 * What it can't do: branch inside an island where all lanes that are on agree, but past a block for which none waits,
 * or in such a loop. */
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
    unsigned best = NONE;
    for (size_t i = 0; i < n; i++) {
        unsigned v = (unsigned)(uintptr_t)nodes[i];
        for (unsigned p = 0; p < o->l->g->npred[v]; p++) {
            if (o->stamp[o->l->g->pred[v][p]] != stamp && v < best) {
                best = v;
            }
        }
    }
    return best == NONE ? (unsigned)(uintptr_t)nodes[0] : best;
}

static void place(struct linear *l, unsigned node) {
    l->place[node] = l->length;
    l->order[l->length++] = node;
}

static void order(struct ordering *o, void **nodes, size_t n, unsigned parent) {
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
            place(o->l, first);
            o->l->innermost[first] = parent;
        } else {
            unsigned header = header_of(o, part, end - start, ++o->stamps), span = o->l->nspans++;
            o->l->spans[span] = (struct span){0, o->l->length, 0, parent, NONE, false};
            place(o->l, header);
            o->l->innermost[header] = span;
            struct list rest = {0};
            for (size_t k = 0; k < end - start; k++) {
                if ((uintptr_t)part[k] != header) {
                    list_add(&rest, part[k]);
                }
            }
            o->stamp[header] = 0;
            order(o, rest.at, rest.n, span);
            o->l->spans[span].last = o->l->length - 1;
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

static struct linear *linear_new(struct graph *g, unsigned nblocks) {
    struct linear *l = job_alloc(sizeof *l);
    size_t bytes = (g->n + 1) * sizeof(unsigned);
    l->g = g;
    l->nblocks = nblocks;
    l->order = job_alloc(bytes);
    l->place = job_alloc(bytes);
    l->island = job_alloc(bytes);
    l->loop = job_alloc(bytes);
    l->first = job_alloc(bytes);
    l->after = job_alloc(bytes);
    l->innermost = job_alloc(bytes);
    memset(l->island, 0xff, bytes);
    memset(l->loop, 0xff, bytes);
    memset(l->after, 0xff, bytes);
    memset(l->innermost, 0xff, bytes);
    return l;
}

static struct linear *linear_whole(struct graph *g) {
    struct linear *l = linear_new(g, g->n);
    struct ordering o = {l, job_alloc((g->n + 1) * sizeof(unsigned)), 0};
    struct list all = {0};
    l->spans = job_alloc((g->n + 1) * sizeof *l->spans);
    for (unsigned v = 0; v < g->n; v++) {
        list_add(&all, (void *)(uintptr_t)v);
        l->island[v] = 0;
    }
    order(&o, all.at, all.n, NONE);
    return l;
}

/* ---- loops in islands ---- */

/* A region's linear as it is made. */
struct making {
    struct wg *wg;
    const struct region *r;
    struct linear *l;
    unsigned *ipdom;
    struct list spans; /* of struct span *; outer ones come first */
};

static unsigned whole_node(const struct making *m, unsigned node) {
    return (unsigned)(uintptr_t)m->r->blocks.at[node];
}

/* The loops that are left of the function's in the island: spans of its nodes, which lie in the function's order.
 * `around`: of the loop that the island is in, or NONE. */
static void find_spans(struct making *m, unsigned island, unsigned around) {
    struct linear *l = m->l;
    const struct linear *whole = m->wg->whole;
    unsigned *span = job_alloc((whole->nspans + 1) * sizeof *span); /* of the function -> 1 + of the island */
    for (unsigned i = 0; i < l->length; i++) {
        unsigned from = l->order[i];
        for (unsigned e = 0; l->island[from] == island && e < l->g->nsucc[from]; e++) {
            unsigned to = l->g->succ[from][e];
            if (l->island[to] != island || to >= l->nblocks || l->place[to] > i) {
                continue;
            }
            unsigned s = whole->innermost[whole_node(m, from)];
            while (!linearize_holds(whole, s, whole_node(m, to))) {
                s = whole->spans[s].parent;
            }
            span[s] = 1;
        }
    }
    for (unsigned s = 0; s < whole->nspans; s++) { /* outer ones come first */
        unsigned outer = whole->spans[s].parent;
        if (span[s]) {
            struct span *new = job_alloc(sizeof *new);
            while (outer != NONE && !span[outer]) {
                outer = whole->spans[outer].parent;
            }
            *new = (struct span){island, NONE, 0, outer == NONE ? around : span[outer] - 1, around, false};
            list_add(&m->spans, new);
            span[s] = (unsigned)m->spans.n;
        }
    }
    for (unsigned i = 0; i < l->length; i++) {
        unsigned node = l->order[i];
        if (l->island[node] != island) {
            continue;
        }
        unsigned s = node < l->nblocks ? whole->innermost[whole_node(m, node)] : NONE;
        while (s != NONE && !span[s]) {
            s = whole->spans[s].parent;
        }
        l->innermost[node] = s == NONE ? around : span[s] - 1;
        for (unsigned t = l->innermost[node]; t != around; t = ((struct span *)m->spans.at[t])->parent) {
            struct span *at = m->spans.at[t];
            at->first = i < at->first ? i : at->first;
            at->last = i;
        }
    }
}

static bool parts(const struct making *m, unsigned node) {
    return node < m->l->nblocks &&
           !uniform_is(m->wg->pack, LLVMGetBasicBlockTerminator(m->wg->blocks[whole_node(m, node)]));
}

/* Makes islands of the nodes between branches where lanes part and where they meet, of those among `nodes`; `loop`:
 * where the nodes are in, or NONE. */
static void find_islands(struct making *m, const unsigned *nodes, unsigned n, unsigned *parent,
                         const unsigned char *divergent, unsigned loop) {
    struct linear *l = m->l;
    unsigned *found = job_alloc((l->g->n + 1) * sizeof *found); /* by root of a set: 1 + island */
    unsigned start = l->nislands;
    for (unsigned i = 0; i < n; i++) {
        unsigned v = nodes[i], root = divergent[v] ? find(parent, v) : 0;
        l->island[v] = NONE;
        l->loop[v] = loop;
        l->innermost[v] = loop;
        if (divergent[v] && !found[root]) {
            l->first[l->nislands] = v;
            found[root] = ++l->nislands;
        }
        if (divergent[v]) {
            l->island[v] = found[root] - 1;
        }
    }
    for (unsigned island = start; island < l->nislands; island++) {
        find_spans(m, island, loop);
    }
}

static bool is_within(const struct linear *l, const struct span *s, unsigned node) {
    return node < l->g->n && l->place[node] >= s->first && l->place[node] <= s->last;
}

/* Whether lanes enter the loop at its first node alone, all of it is there, and where they part in it they meet again in
 * it before they come around. Then `parent` and `divergent` have the islands in it. */
static bool goes_together(const struct making *m, const struct span *s, unsigned *parent,
                          unsigned char *divergent) {
    const struct linear *l = m->l;
    unsigned header = l->order[s->first];
    for (unsigned p = s->first; p <= s->last; p++) {
        unsigned v = l->order[p];
        if (l->island[v] != s->island || v >= l->nblocks || v == 0) { /* lanes begin at node 0 */
            return false;
        }
        for (unsigned i = 0; v != header && i < l->g->npred[v]; i++) {
            if (!is_within(l, s, l->g->pred[v][i])) {
                return false;
            }
        }
        if (parts(m, v)) {
            if (!is_within(l, s, m->ipdom[v])) {
                return false;
            }
            spread(l->g, v, m->ipdom[v], parent, divergent);
        }
    }
    for (unsigned v = 0; v < l->g->n; v++) {
        if (divergent[v] && (v == header || !is_within(l, s, v))) {
            return false;
        }
    }
    return true;
}

static void find_loops(struct making *m) {
    struct linear *l = m->l;
    unsigned n = l->g->n;
    for (unsigned i = 0; i < m->spans.n && !m->r->yields; i++) { /* there are more as islands are found */
        struct span *s = m->spans.at[i];
        if (s->island == NONE) {
            continue;
        }
        unsigned *parent = job_alloc((n + 1) * sizeof *parent);
        unsigned char *divergent = job_alloc(n + 1);
        for (unsigned v = 0; v < n; v++) {
            parent[v] = v;
        }
        if (!goes_together(m, s, parent, divergent)) {
            continue;
        }
        for (unsigned t = i + 1; t < m->spans.n; t++) { /* loops in it are found anew, those in islands */
            struct span *other = m->spans.at[t];
            if (other->island == s->island && other->first >= s->first && other->last <= s->last) {
                other->island = NONE;
            }
        }
        s->together = true;
        find_islands(m, l->order + s->first, s->last - s->first + 1, parent, divergent, i);
    }
    l->nspans = (unsigned)m->spans.n;
    l->spans = job_alloc((l->nspans + 1) * sizeof *l->spans);
    for (unsigned s = 0; s < l->nspans; s++) {
        l->spans[s] = *(struct span *)m->spans.at[s];
    }
}

bool linearize_is_in(const struct linear *l, unsigned island, unsigned node) {
    unsigned in = l->island[node], loop = l->loop[node];
    while (in != island && loop != NONE) {
        in = l->spans[loop].island;
        loop = l->spans[loop].loop;
    }
    return in == island;
}

static void find_after(struct linear *l) {
    for (unsigned v = 0; v < l->g->n; v++) {
        for (unsigned s = 0; s < l->g->nsucc[v]; s++) {
            unsigned to = l->g->succ[v][s], in = l->island[v], loop = l->loop[v];
            while (in != NONE || loop != NONE) {
                if (in != NONE && !linearize_is_in(l, in, to)) {
                    l->after[in] = to;
                }
                in = loop == NONE ? NONE : l->spans[loop].island;
                loop = loop == NONE ? NONE : l->spans[loop].loop;
            }
        }
    }
}

/* What of the function's loops is in the region, with their headers. */
static struct list loops_in(const struct region *r, const struct list *whole, unsigned nodes) {
    struct list loops = {0};
    unsigned *own = job_alloc((nodes + 1) * sizeof *own); /* by node of the function: 1 + the region's */
    for (size_t i = 0; i < r->blocks.n; i++) {
        own[(uintptr_t)r->blocks.at[i]] = (unsigned)i + 1;
    }
    for (size_t i = 0; i < whole->n; i++) {
        const struct graph_loop *loop = whole->at[i];
        struct graph_loop *part = job_alloc(sizeof *part);
        for (size_t k = 0; k < loop->nodes.n; k++) {
            if (own[(uintptr_t)loop->nodes.at[k]]) {
                list_add(&part->nodes, (void *)(uintptr_t)(own[(uintptr_t)loop->nodes.at[k]] - 1));
            }
        }
        if (own[loop->header]) {
            part->header = own[loop->header] - 1;
            list_add(&loops, part);
        }
    }
    return loops;
}

static struct linear *linear_of(struct wg *wg, const struct region *r) {
    struct linear *l = linear_new(region_graph(wg, r), (unsigned)r->blocks.n);
    struct list loops = loops_in(r, &wg->loops_in_step, wg->cfg->n);
    struct making m = {wg, r, l, loops.n ? graph_meets(l->g, &loops) : graph_ipdom(l->g), {0}};
    unsigned n = l->g->n;
    unsigned *sorted = job_alloc((wg->cfg->n + 1) * sizeof *sorted); /* by place in the function: 1 + node */
    unsigned *parent = job_alloc((n + 1) * sizeof *parent);
    unsigned char *divergent = job_alloc(n + 1);
    for (unsigned v = 0; v < n; v++) {
        parent[v] = v;
        if (v < l->nblocks) {
            sorted[wg->whole->place[whole_node(&m, v)]] = v + 1;
        }
    }
    for (unsigned v = 0; v < l->nblocks; v++) {
        if (parts(&m, v)) {
            spread(l->g, v, m.ipdom[v], parent, divergent);
        }
    }
    for (unsigned i = 0; i < wg->cfg->n; i++) {
        if (sorted[i]) {
            place(l, sorted[i] - 1);
        }
    }
    for (unsigned v = l->nblocks; v < n; v++) { /* exits come last: lanes don't wait there */
        place(l, v);
    }
    find_islands(&m, l->order, n, parent, divergent, NONE);
    find_loops(&m);
    find_after(l);
    return l;
}

void linearize_regions(struct wg *wg) {
    wg->whole = linear_whole(wg->cfg);
    wg->loops_in_step = uniform_loops(wg->k, wg->cfg);
    wg->masked = job_alloc(wg->cfg->n);
    for (unsigned n = 0; n < wg->nregions; n++) {
        struct region *r = &wg->regions[n];
        r->linear = linear_of(wg, r);
        for (size_t i = 0; i < r->blocks.n; i++) {
            wg->masked[(uintptr_t)r->blocks.at[i]] |=
                r->linear->island[i] != NONE || r->linear->loop[i] != NONE;
        }
    }
}

bool linearize_is_within(const struct linear *l, unsigned span, unsigned node) {
    return is_within(l, &l->spans[span], node);
}

bool linearize_holds(const struct linear *l, unsigned span, unsigned node) {
    const struct span *s = &l->spans[span];
    return is_within(l, s, node) && linearize_is_in(l, s->island, node);
}

bool linearize_is_header(const struct linear *l, unsigned node) {
    return l->loop[node] != NONE && l->spans[l->loop[node]].first == l->place[node];
}

unsigned linearize_loop_of(const struct linear *l, unsigned node) {
    return linearize_is_header(l, node) ? l->spans[l->loop[node]].loop : l->loop[node];
}

unsigned linearize_island_of(const struct linear *l, unsigned node) {
    return linearize_is_header(l, node) ? l->spans[l->loop[node]].island : l->island[node];
}

bool linearize_comes_around(const struct linear *l, const struct span *s, unsigned node) {
    bool retreats = false;
    for (unsigned i = 0; linearize_island_of(l, node) == s->island && i < l->g->npred[node]; i++) {
        unsigned from = l->g->pred[node][i];
        bool goes_on = linearize_is_header(l, node) && linearize_holds(l, l->loop[node], from);
        retreats |= linearize_is_in(l, s->island, from) && l->place[from] >= l->place[node] &&
                    l->place[from] <= s->last && !goes_on;
    }
    return retreats;
}
