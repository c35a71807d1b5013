/* cfg.c: control-flow graphs as small arrays, dominators and post-dominators on them (Cooper, Harvey and Kennedy, "A
 * Simple, Fast Dominance Algorithm", 2001), and strongly connected components (Tarjan, 1972). In: a function or hand-made
 * edges. Out: graphs that stay valid until the control flow changes. */
#include "ir.h"

#include <assert.h>
#include <string.h>

/* What a search for components needs of each node: often there are many searches, each in a small part of the graph. */
struct component_search {
    unsigned *number; /* 0 between searches */
    unsigned *low, *stack;
    unsigned char *on_stack; /* 0 between searches */
};

struct graph *graph_new(unsigned n) {
    struct graph *g = job_alloc(sizeof *g);
    g->n = n;
    g->nsucc = job_alloc(n * sizeof *g->nsucc);
    g->npred = job_alloc(n * sizeof *g->npred);
    g->succ = job_alloc(n * sizeof *g->succ);
    g->pred = job_alloc(n * sizeof *g->pred);
    g->search = job_alloc(sizeof *g->search);
    return g;
}

static void append(unsigned **list, unsigned *n, unsigned item) {
    if (!(*n & (*n - 1))) { /* full at each power of two */
        unsigned *grown = job_alloc((*n ? *n * 2 : 1) * sizeof **list);
        if (*n) {
            memcpy(grown, *list, *n * sizeof **list);
        }
        *list = grown;
    }
    (*list)[(*n)++] = item;
}

void graph_edge(struct graph *g, unsigned from, unsigned to) {
    append(&g->succ[from], &g->nsucc[from], to);
    append(&g->pred[to], &g->npred[to], from);
}

struct graph *cfg_of(LLVMValueRef function, struct ptrmap *index, LLVMBasicBlockRef **blocks) {
    unsigned n = LLVMCountBasicBlocks(function);
    *blocks = job_alloc(n * sizeof **blocks);
    LLVMGetBasicBlocks(function, *blocks);
    for (unsigned i = 0; i < n; i++) {
        ptrmap_set(index, (*blocks)[i], i);
    }
    struct graph *g = graph_new(n);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator((*blocks)[i]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            graph_edge(g, i, (unsigned)ptrmap_at(index, LLVMGetSuccessor(end, s), 0));
        }
    }
    return g;
}

unsigned *graph_order(const struct graph *g, unsigned *reached) {
    unsigned depth = 0, at = g->n, *order = job_alloc(g->n * sizeof *order);
    unsigned *stack = job_alloc(g->n * sizeof *stack), *next = job_alloc(g->n * sizeof *next);
    unsigned char *seen = job_alloc(g->n);
    seen[0] = 1;
    stack[depth++] = 0;
    while (depth) {
        unsigned v = stack[depth - 1];
        if (next[v] == g->nsucc[v]) {
            order[--at] = v;
            depth--;
            continue;
        }
        unsigned to = g->succ[v][next[v]++];
        if (!seen[to]) {
            seen[to] = 1;
            stack[depth++] = to;
        }
    }
    *reached = g->n - at;
    return order + at;
}

/* ---- dominators ---- */

/* The next one that both have above them; `number`: of a node's parent, more than its own. */
static unsigned meet(const unsigned *number, const unsigned *parent, unsigned a, unsigned b) {
    while (a != b) {
        while (number[a] < number[b]) {
            a = parent[a];
        }
        while (number[b] < number[a]) {
            b = parent[b];
        }
    }
    return a;
}

/* Edges along which one searches, and the nodes as they are met. */
struct search {
    unsigned n; /* nodes, with the root */
    const unsigned *nbefore;
    unsigned *const *before;      /* of a node, but the root: those that edges lead from */
    const unsigned char *is_next; /* by node: an edge leads there from the root, too; or NULL */
    const unsigned *order;        /* reverse post-order, from the root on */
    unsigned count;               /* nodes in it */
};

/* Of each node the nearest one that all ways to it come by; the root has itself, nodes that aren't met have UINT32_MAX. */
static unsigned *nearest_on_all_ways(const struct search *s) {
    unsigned root = s->order[0];
    unsigned *nearest = job_alloc(s->n * sizeof *nearest), *number = job_alloc(s->n * sizeof *number);
    for (unsigned v = 0; v < s->n; v++) {
        nearest[v] = UINT32_MAX;
    }
    for (unsigned i = 0; i < s->count; i++) {
        number[s->order[i]] = s->count - i;
    }
    nearest[root] = root;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 1; i < s->count; i++) {
            unsigned v = s->order[i], best = s->is_next && s->is_next[v] ? root : UINT32_MAX;
            for (unsigned k = 0; k < s->nbefore[v]; k++) {
                unsigned w = s->before[v][k];
                if (nearest[w] != UINT32_MAX) {
                    best = best == UINT32_MAX ? w : meet(number, nearest, w, best);
                }
            }
            changed |= nearest[v] != best;
            nearest[v] = best;
        }
    }
    return nearest;
}

unsigned *graph_idom(const struct graph *g) {
    struct search s = {.n = g->n, .nbefore = g->npred, .before = g->pred};
    s.order = graph_order(g, &s.count);
    return nearest_on_all_ways(&s);
}

/* Reverse post-order of the reversed graph, from the virtual exit (node n). Its predecessors are the sinks, and one node
 * of each endless loop, as if that could be left: where it is not, nobody meets. */
struct exits {
    const struct graph *g;
    unsigned *order;
    unsigned left;       /* nodes that aren't in it yet */
    unsigned char *ends; /* by node: it goes to the exit */
};

/* The next node to visit from the exit: sinks first, then what leads to none of them; UINT32_MAX at the end. */
static unsigned next_end(struct exits *e, const unsigned char *seen, unsigned *at) {
    for (unsigned n = e->g->n; *at < 2 * n; ++*at) {
        unsigned v = *at % n;
        if (!seen[v] && (*at >= n || !e->g->nsucc[v])) {
            e->ends[v] = 1;
            return v;
        }
    }
    return UINT32_MAX;
}

static void visit(struct exits *e, unsigned root) {
    unsigned *stack = job_alloc((e->g->n + 1) * sizeof *stack), depth = 0;
    unsigned *next = job_alloc((e->g->n + 1) * sizeof *next);
    unsigned char *seen = job_alloc(e->g->n + 1);
    stack[depth++] = root;
    seen[root] = 1;
    while (depth) {
        unsigned v = stack[depth - 1], w = UINT32_MAX;
        if (v == root) {
            w = next_end(e, seen, &next[v]);
        } else if (next[v] < e->g->npred[v]) {
            w = e->g->pred[v][next[v]++];
        }
        if (w == UINT32_MAX) {
            e->order[--e->left] = v;
            depth--;
        } else if (!seen[w]) {
            seen[w] = 1;
            stack[depth++] = w;
        }
    }
    assert(e->left == 0 && "each node is a sink, leads to one, or to an endless loop");
}

unsigned *graph_ipdom(const struct graph *g) {
    unsigned exit = g->n, n = exit + 1;
    struct exits e = {g, job_alloc(n * sizeof *e.order), n, job_alloc(n)};
    visit(&e, exit);
    struct search s = {n, g->nsucc, g->succ, e.ends, e.order, n};
    return nearest_on_all_ways(&s);
}

/* ---- components ---- */

struct tarjan {
    const struct graph *g;
    const unsigned *in;
    unsigned set, *number, *low, *stack, depth, counter;
    unsigned char *on_stack;
    struct components *out;
};

static void connect(struct tarjan *t, unsigned v) {
    t->number[v] = t->low[v] = ++t->counter;
    t->stack[t->depth++] = v;
    t->on_stack[v] = 1;
    for (unsigned s = 0; s < t->g->nsucc[v]; s++) {
        unsigned w = t->g->succ[v][s];
        if (t->in[w] != t->set) {
            continue;
        }
        if (!t->number[w]) {
            connect(t, w);
            t->low[v] = t->low[w] < t->low[v] ? t->low[w] : t->low[v];
        } else if (t->on_stack[w]) {
            t->low[v] = t->number[w] < t->low[v] ? t->number[w] : t->low[v];
        }
    }
    if (t->low[v] != t->number[v]) {
        return;
    }
    list_add(&t->out->starts, (void *)t->out->nodes.n);
    for (unsigned w = UINT32_MAX; w != v;) {
        w = t->stack[--t->depth];
        t->on_stack[w] = 0;
        list_add(&t->out->nodes, (void *)(uintptr_t)w);
    }
}

void graph_components(const struct graph *g, const unsigned *in, unsigned set, void **nodes, size_t n,
                      struct components *out) {
    size_t bytes = (g->n + 1) * sizeof(unsigned), first = out->nodes.n;
    struct component_search *s = g->search;
    if (!s->number) {
        *s = (struct component_search){job_alloc(bytes), job_alloc(bytes), job_alloc(bytes),
                                       job_alloc(g->n + 1)};
    }
    struct tarjan t = {g, in, set, s->number, s->low, s->stack, 0, 0, s->on_stack, out};
    for (size_t i = 0; i < n; i++) {
        if (!t.number[(uintptr_t)nodes[i]]) {
            connect(&t, (unsigned)(uintptr_t)nodes[i]);
        }
    }
    for (size_t i = first; i < out->nodes.n; i++) {
        s->number[(uintptr_t)out->nodes.at[i]] = 0;
    }
}

bool graph_has_edge(const struct graph *g, unsigned from, unsigned to) {
    for (unsigned s = 0; s < g->nsucc[from]; s++) {
        if (g->succ[from][s] == to) {
            return true;
        }
    }
    return false;
}

/* ---- rounds of loops ---- */

/* The node of a loop where it is entered; the first such one if there are several. */
static unsigned header_of(const struct graph *g, const unsigned *in, unsigned set, void **nodes, size_t n) {
    unsigned best = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        unsigned v = (unsigned)(uintptr_t)nodes[i];
        for (unsigned p = 0; p < g->npred[v]; p++) {
            best = in[g->pred[v][p]] != set && v < best ? v : best;
        }
    }
    return best == UINT32_MAX ? (unsigned)(uintptr_t)nodes[0] : best;
}

static void find_loops(const struct graph *g, unsigned *in, unsigned *sets, void **nodes, size_t n,
                       struct list *loops) {
    struct components found = {0};
    unsigned set = ++*sets;
    for (size_t i = 0; i < n; i++) {
        in[(uintptr_t)nodes[i]] = set;
    }
    graph_components(g, in, set, nodes, n, &found);
    for (size_t i = found.starts.n, end = found.nodes.n; i-- > 0;) {
        size_t start = (size_t)(uintptr_t)found.starts.at[i], count = end - start;
        void **part = found.nodes.at + start;
        unsigned first = (unsigned)(uintptr_t)part[0];
        end = start;
        if (count == 1 && !graph_has_edge(g, first, first)) {
            continue;
        }
        unsigned own = ++*sets;
        for (size_t k = 0; k < count; k++) {
            in[(uintptr_t)part[k]] = own;
        }
        struct graph_loop *loop = job_alloc(sizeof *loop);
        loop->header = header_of(g, in, own, part, count);
        list_add(loops, loop);
        struct list rest = {0};
        for (size_t k = 0; k < count; k++) {
            list_add(&loop->nodes, part[k]);
            if ((uintptr_t)part[k] != loop->header) {
                list_add(&rest, part[k]);
            }
        }
        in[loop->header] = 0;
        find_loops(g, in, sets, rest.at, rest.n, loops);
    }
}

unsigned *graph_depths(const struct graph *g) {
    unsigned *depth = job_alloc(g->n * sizeof *depth);
    struct list loops = graph_loops(g);
    for (size_t l = 0; l < loops.n; l++) {
        const struct graph_loop *loop = loops.at[l];
        for (size_t i = 0; i < loop->nodes.n; i++) {
            depth[(uintptr_t)loop->nodes.at[i]]++;
        }
    }
    return depth;
}

bool graph_loop_has(const struct graph_loop *loop, unsigned node) {
    for (size_t i = 0; i < loop->nodes.n; i++) {
        if ((uintptr_t)loop->nodes.at[i] == node) {
            return true;
        }
    }
    return false;
}

struct list graph_loops(const struct graph *g) {
    struct list all = {0}, loops = {0};
    unsigned sets = 0;
    for (unsigned v = 0; v < g->n; v++) {
        list_add(&all, (void *)(uintptr_t)v);
    }
    find_loops(g, job_alloc((g->n + 1) * sizeof(unsigned)), &sets, all.at, all.n, &loops);
    return loops;
}

/* The loops' nesting. */
struct nesting {
    const struct list *loops;
    unsigned *innermost, *parent; /* by node, by loop: index of a loop, or UINT32_MAX */
};

static bool is_in(const struct nesting *nest, unsigned loop, unsigned node) {
    unsigned at = nest->innermost[node];
    while (at != UINT32_MAX && at != loop) {
        at = nest->parent[at];
    }
    return at == loop;
}

static struct nesting nesting_of(const struct graph *g, const struct list *loops) {
    size_t bytes = (g->n + loops->n + 1) * sizeof(unsigned);
    struct nesting nest = {loops, memset(job_alloc(bytes), 0xff, bytes), job_alloc(bytes)};
    for (size_t i = 0; i < loops->n; i++) { /* outer ones come first */
        const struct graph_loop *loop = loops->at[i];
        nest.parent[i] = nest.innermost[loop->header];
        for (size_t k = 0; k < loop->nodes.n; k++) {
            nest.innermost[(uintptr_t)loop->nodes.at[k]] = (unsigned)i;
        }
    }
    return nest;
}

static unsigned header_at(const struct nesting *nest, unsigned loop) {
    return ((struct graph_loop *)nest->loops->at[loop])->header;
}

/* An edge of the graph whose nodes from g->n on are what comes around in each of the loops. */
static void add_edge(struct graph *rounds, const struct nesting *nest, unsigned n, unsigned from,
                     unsigned to) {
    unsigned end = to;
    for (unsigned i = nest->innermost[from]; i != UINT32_MAX; i = nest->parent[i]) {
        end = header_at(nest, i) == to ? n + i : end;
    }
    graph_edge(rounds, from, end);
    for (unsigned i = nest->innermost[from]; i != UINT32_MAX && !is_in(nest, i, to); i = nest->parent[i]) {
        if (!graph_has_edge(rounds, n + i,
                            end)) { /* as if those who come around might leave by this way, too */
            graph_edge(rounds, n + i, end);
        }
    }
}

unsigned *graph_meets(const struct graph *g, const struct list *loops) {
    unsigned n = g->n, nodes = n + (unsigned)loops->n;
    struct graph *rounds = graph_new(nodes);
    struct nesting nest = nesting_of(g, loops);
    for (unsigned v = 0; v < n; v++) {
        for (unsigned s = 0; s < g->nsucc[v]; s++) {
            add_edge(rounds, &nest, n, v, g->succ[v][s]);
        }
    }
    for (unsigned i = 0; i < loops->n; i++) {
        graph_edge(rounds, n + i, header_at(&nest, i));
    }
    unsigned *meets = graph_ipdom(rounds), *result = job_alloc((n + 1) * sizeof *result);
    for (unsigned v = 0; v < n; v++) {
        unsigned m = meets[v];
        bool comes_around = m >= n && m < nodes;
        result[v] = comes_around ? header_at(&nest, m - n) : m == nodes ? n : m;
    }
    result[n] = n;
    return result;
}
