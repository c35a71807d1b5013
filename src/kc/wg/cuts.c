/* cuts.c: where very much code would be in many regions, regions of its own.
 *
 * In: k->run with barriers as calls, before `regions`. Out: the same with cuts (kernel_cut) where many regions meet.
 * A region is copied whole, and what comes after a loop that may have no round, or after a branch around a barrier, is part
 * of each region before it: code grows with the square of the number of barriers in a row.
 *     for (i...) { ... barrier } for (j...) { ... barrier } ...     the second loop's condition is in three regions,
 *                                                                   the n-th's in 2n - 1
 * A block has a cut where MEET regions meet, and all work-items come to it or none; in a loop only if that has as many
 * barriers: a cut costs a loop over packs, and values that live across it are in the context. Kernels in which work-items
 * may wait for each other in loops have none: one that has come to the cut waits for all others.
 * Needs one function with all barriers in it. Invalidates what is known of its blocks' instructions. */
#include "wg.h"
#include <string.h>

enum { MEET = 8, SHARE = 4, LARGE = 4000 /* instructions in all regions: a quarter of a second */ };

struct cuts {
    struct kernel *k;
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    unsigned *order;             /* reverse post-order; nodes that nothing reaches are left out */
    unsigned reached;            /* how many it has */
    unsigned *barriers, *length; /* by node */
    unsigned *last; /* by node with barriers: the region after the last one; region 0 is the entry's */
    unsigned nregions, words;
    unsigned char *is_cut; /* by node: a region begins there; its number is nregions + node */
    uint64_t **from;       /* by node: regions that come to where it begins */
};

static void find_barriers(struct cuts *c) {
    c->nregions = 1;
    for (unsigned n = 0; n < c->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            if (ir_is_call_to(i, "__weir_barrier")) {
                c->barriers[n]++;
                c->last[n] = c->nregions++;
            }
        }
        c->length[n] = ir_length(c->blocks[n]);
    }
    c->words = (c->nregions + c->cfg->n) / 64 + 1;
}

/* Which regions leave the node, joined to those that come to another one; true: it has got more. */
static bool flow(struct cuts *c, unsigned node, unsigned to) {
    bool changed = false, begins = c->barriers[node] || c->is_cut[node];
    unsigned own = c->barriers[node] ? c->last[node] : c->nregions + node;
    for (unsigned w = 0; w < c->words; w++) {
        uint64_t more = begins ? (own / 64 == w ? UINT64_C(1) << own % 64 : 0) : c->from[node][w];
        changed |= (more & ~c->from[to][w]) != 0;
        c->from[to][w] |= more;
    }
    return changed;
}

static void find_regions(struct cuts *c) {
    for (unsigned n = 0; n < c->cfg->n; n++) {
        memset(c->from[n], 0, c->words * sizeof *c->from[n]);
    }
    bit_add(c->from[0], 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < c->reached; i++) {
            unsigned node = c->order[i];
            for (unsigned s = 0; s < c->cfg->nsucc[node]; s++) {
                changed |= flow(c, node, c->cfg->succ[node][s]);
            }
        }
    }
}

/* How many regions the block begins in. */
static unsigned meeting(const struct cuts *c, unsigned node) {
    unsigned n = 0;
    for (unsigned w = 0; w < c->words; w++) {
        n += (unsigned)__builtin_popcountll(c->from[node][w]);
    }
    return n;
}

/* Whether regions together are much longer than the kernel. */
static bool overlap(const struct cuts *c) {
    uint64_t all = 0, once = 0;
    for (unsigned n = 0; n < c->cfg->n; n++) {
        once += c->length[n];
        all += (uint64_t)c->length[n] * meeting(c, n);
    }
    return all > LARGE && all > SHARE * once;
}

unsigned char *cuts_parted(const struct graph *cfg, LLVMBasicBlockRef *blocks, const struct uniform *group) {
    unsigned *meets = graph_ipdom(cfg), *stamp = job_alloc(cfg->n * sizeof *stamp);
    unsigned char *parted = job_alloc(cfg->n);
    for (unsigned from = 0; from < cfg->n; from++) {
        if (uniform_is(group, LLVMGetBasicBlockTerminator(blocks[from]))) {
            continue;
        }
        struct list todo = {0};
        list_add(&todo, (void *)(uintptr_t)from);
        for (size_t i = 0; i < todo.n; i++) {
            unsigned node = (unsigned)(uintptr_t)todo.at[i];
            for (unsigned s = 0; s < cfg->nsucc[node]; s++) {
                unsigned to = cfg->succ[node][s];
                if (to != meets[from] && stamp[to] != from + 1) {
                    stamp[to] = from + 1;
                    parted[to] = 1;
                    list_add(&todo, (void *)(uintptr_t)to);
                }
            }
        }
    }
    return parted;
}

/* By node: its innermost loop has few barriers. */
static unsigned char *find_short_loops(const struct cuts *c) {
    struct list loops = graph_loops(c->cfg);
    unsigned char *is_short = job_alloc(c->cfg->n);
    for (size_t i = 0; i < loops.n; i++) { /* outer ones come first */
        const struct graph_loop *loop = loops.at[i];
        unsigned barriers = 0;
        for (size_t n = 0; n < loop->nodes.n; n++) {
            barriers += c->barriers[(uintptr_t)loop->nodes.at[n]];
        }
        for (size_t n = 0; n < loop->nodes.n; n++) {
            is_short[(uintptr_t)loop->nodes.at[n]] = barriers < MEET;
        }
    }
    return is_short;
}

static void cut(struct cuts *c, unsigned node) {
    LLVMValueRef first = ir_after_phis(LLVMGetFirstInstruction(c->blocks[node]));
    LLVMBuilderRef b = ir_before(first);
    kernel_cut(c->k, b, first);
    LLVMDisposeBuilder(b);
    c->is_cut[node] = 1;
    find_regions(c);
}

void cuts_pass(struct kernel *k) {
    struct cuts c = {.k = k};
    bool waits;
    c.cfg = cfg_of(k->run, &c.index, &c.blocks);
    c.barriers = job_alloc(c.cfg->n * sizeof *c.barriers);
    c.length = job_alloc(c.cfg->n * sizeof *c.length);
    c.last = job_alloc(c.cfg->n * sizeof *c.last);
    find_barriers(&c);
    if (c.nregions <= MEET || k->meta->uses_subgroups || k->checked || k->shown) {
        return;
    }
    c.is_cut = job_alloc(c.cfg->n);
    c.from = job_alloc(c.cfg->n * sizeof *c.from);
    for (unsigned n = 0; n < c.cfg->n; n++) {
        c.from[n] = job_alloc(c.words * sizeof *c.from[n]);
    }
    c.order = graph_order(c.cfg, &c.reached);
    find_regions(&c);
    if (!overlap(&c) || spin_loops_first(k, &waits)) {
        return;
    }
    struct uniform group = {0};
    uniform_run(k, &group);
    unsigned char *parted = cuts_parted(c.cfg, c.blocks, &group), *in_short_loop = find_short_loops(&c);
    for (unsigned i = 1; i < c.reached; i++) {
        unsigned node = c.order[i];
        if (!parted[node] && !in_short_loop[node] && meeting(&c, node) >= MEET) {
            cut(&c, node);
        }
    }
}
