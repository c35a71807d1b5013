/* wg.h: the work-group function under construction: what regions.c, which cuts and loops, and vector_region.c, which
 * fills a pack's lanes, share. */
#ifndef WEIR_KC_WG_H
#define WEIR_KC_WG_H

#include "item_loops.h"
#include "slots.h"

/* The state of a work-item: where it waits. Below wg.nyields: a place of its region where it yields; then come the
 * regions. */
#define DONE UINT32_MAX /* it has ended */

struct region {
    unsigned start;         /* block where its work-items begin */
    LLVMValueRef barrier;   /* that leads here; NULL: the entry */
    struct list blocks;     /* indices of its blocks, as pointers */
    unsigned char *is_exit; /* by region: may be next; [nregions]: the end */
    unsigned nexits;
    struct linear *linear; /* for packs */
    LLVMValueRef parts;    /* a branch after which work-items may take different exits, or NULL */
    LLVMValueRef alike;    /* checked: what all come to the barrier with, a constant (arrivals.c); or NULL */
    bool guarded;
    bool yields;             /* sub-groups wait for each other in it (yield.c) */
    uint64_t *stored;        /* slots that it may write */
    uint64_t *live_at_yield; /* yields: slots that live in it */
    struct list totals;      /* in code for packs: those that are kept by lane (vector/lane_totals.c) */
    struct list
        bounds[3];    /* by dimension: work-items beyond all of these have nothing to do (loop_bounds.c) */
    double cycles[2]; /* about what a work-item takes, one by one and in packs; 0: nobody knows (alone.c) */
    bool alone;       /* its work-items run one by one, though the kernel has packs */
    LLVMBasicBlockRef block; /* its code's first block in the new function */
};

/* A part of the context. */
struct context_area {
    LLVMValueRef base;
    uint64_t per_item, align; /* bytes */
};

struct wg {
    struct kernel *k;
    struct uniform uniform;
    struct uniform *pack; /* NULL at width 1 */
    struct ptrmap near;   /* of packs: analysis/near_accesses.c */
    struct slots slots;
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    struct list loops_in_step;   /* uniform_loops */
    struct linear *whole;        /* an order of the whole function, as one island, and its loops */
    unsigned char *masked;       /* by node of cfg: not all lanes of a pack may run it; NULL at width 1 */
    struct ptrmap checks_beside; /* checks that are decided beside their accesses (checks_choose) -> 1 */
    unsigned looks_from; /* blocks that run as often look how a pack's elements lie (contiguity_limit) */
    struct list shown;   /* struct shown: variables for debuggers (shown.c) */
    struct ptrmap shown_blocks; /* block of the kernel -> its part in each region */
    size_t shown_declared;
    struct ptrmap barrier_region; /* barrier block -> region after it */
    struct region *regions;
    unsigned nregions;
    struct list bounds; /* the function's (loop_bounds.c) */
    struct item_loops loops;
    struct memory_facts facts;
    LLVMBuilderRef b;
    LLVMValueRef global_base[3];
    struct context_area values, arrays;
    uint64_t fixed_bytes;    /* of arrays that don't cross barriers: they come first */
    uint64_t padding;        /* bytes before and after all arrays */
    uint64_t state_offset;   /* as those of slots */
    LLVMValueRef next, last; /* i32 variables: the lowest and the highest region that a work-item waits for */
    LLVMBasicBlockRef end;
    bool any_guard;
    bool synchronizes;     /* maybe with other work-groups */
    unsigned nyields;      /* places where sub-groups yield */
    uint64_t masks_offset; /* in the context: who waits at which node, a byte for each */
    LLVMValueRef resuming, patience,
        places; /* variables, i1 and i32; a switch to the places of the region's form */
};

/* ---- the passes ---- */

void split_barrier_pass(struct kernel *); /* split_barrier.c */
void group_rounds_pass(struct kernel *);  /* group_rounds.c */
void cuts_pass(struct kernel *);          /* cuts.c */
void regions_pass(struct kernel *);       /* regions.c */

/* By node: some work-items may come to it without the others, having parted at a branch and not met again. */
unsigned char *cuts_parted(const struct graph *, LLVMBasicBlockRef *blocks, const struct uniform *group);

/* ---- arrivals.c: barriers of checked kernels ---- */

void arrivals_settle(struct wg *); /* once regions are known; the checker's calls before barriers go */

/* ---- context.c: where values and private arrays lie ----------------------------------------------------------- */

void context_lay_out(struct wg *); /* gives places of slots, and the context's sizes in k */
void context_declare(struct wg *); /* in k->run's entry, first */
void context_begin(struct wg *);   /* in k->run's entry, after item_loops_sizes */
/* Where the current work-item, or the first of the pack, has what lies after `offset` bytes of other values. */
LLVMValueRef context_address(struct wg *, uint64_t offset, const char *name);
LLVMValueRef context_slot(struct wg *, const struct slot *); /* of a slot that crosses barriers */
LLVMValueRef context_array(struct wg *, struct slot *);      /* of a private array, wherever it lies */
void context_pad_functions(struct kernel *); /* arrays of functions that stay calls get padding, too */
unsigned wg_alignment(uint64_t bytes);

/* ---- regions.c: for scalar_region.c and vector_region.c, which fill a region's loop ---------------------- */

unsigned wg_region_after(const struct wg *, LLVMBasicBlockRef); /* a barrier's block; 0: it is none */
uint32_t wg_state(const struct wg *, unsigned region); /* of those that wait for it; nregions: the end */
bool wg_keeps_state(const struct wg *, const struct region *from, unsigned to);
bool wg_is_whole(const struct wg *,
                 const struct region *); /* all its work-items run it at once, and go on together */
/* Joins the lowest and the highest state of some work-items into what the group runs next. */
void wg_vote(struct wg *, LLVMValueRef low, LLVMValueRef high);
/* i1 or a vector of them: which work-items run the region by their states. `apart`: those that wait for it, or in later
 * rounds those at one of its places; else, in later rounds, the latter. */
LLVMValueRef wg_runs(struct wg *, const struct region *, LLVMValueRef states, bool apart);
enum memory_kind wg_kind(LLVMValueRef access);
/* The id that a query call asks for, of lane 0, as an integer of the given type. */
LLVMValueRef wg_item_id(struct wg *, LLVMValueRef call, LLVMTypeRef);

/* ---- linearize.c: an order for the blocks of a region that work-items walk on different paths ------------------ */

enum { NONE = UINT32_MAX };
/* Nodes are the region's blocks (as in region.blocks) and then one per exit. A node is divergent if work-items
 * of a pack may walk past it; divergent nodes form islands: one entry mask per node, run in order. In a loop of an
 * island that lanes go around together, nodes are divergent only if those may walk past them that came to the loop:
 * islands are in loops in islands. */
struct linear {
    struct graph *g;
    unsigned nblocks;
    unsigned *order, length; /* all nodes */
    unsigned *place;         /* by node: position in the order */
    unsigned *island;        /* by node: the innermost island that it is in, or NONE */
    unsigned *loop;          /* by node: the innermost span that lanes go around together, or NONE */
    unsigned nislands;
    unsigned *first;    /* by island: its first node */
    unsigned *after;    /* by island: where all leave to, or NONE */
    struct span *spans; /* loops inside islands */
    unsigned nspans;
    unsigned *innermost; /* by node in an island or such a loop: its innermost span, or NONE */
};
struct span {
    unsigned island;      /* or NONE: it was found again in another one, or needs no masks */
    unsigned first, last; /* positions */
    unsigned parent;      /* span around it, or NONE */
    unsigned loop;        /* the innermost one around it that lanes go around together, or NONE */
    bool
        together; /* lanes that enter it all leave it at the same time, and branch as they do outside islands */
};
void linearize_regions(struct wg *); /* gives region.linear and wg.masked; for packs */
/* The region's blocks and exits as a graph: node i < blocks.n is its i-th block, node blocks.n + e is exit e. */
struct graph *region_graph(struct wg *, const struct region *);
/* Whether the node begins a loop that lanes go around together. They wait for it where the loop is. */
bool linearize_is_header(const struct linear *, unsigned node);
/* The loop in which the node is entered, and the island in which lanes wait for it, or NONE: of a header those around its
 * loop. */
unsigned linearize_loop_of(const struct linear *, unsigned node);
unsigned linearize_island_of(const struct linear *, unsigned node);
/* Whether the node is in the island, maybe in a loop in it. */
bool linearize_is_in(const struct linear *, unsigned island, unsigned node);
/* Whether lanes that go around the span, a loop that they leave at different times, may wait at this node of it. */
bool linearize_comes_around(const struct linear *, const struct span *, unsigned node);
/* Whether the span holds the node. */
bool linearize_holds(const struct linear *, unsigned span, unsigned node);
/* Whether the node lies between the span's first and last one in the order: it is in the span or in a loop in it. */
bool linearize_is_within(const struct linear *, unsigned span, unsigned node);

/* ---- width.c, row_count.c, register_pressure.c, code_size.c ---- */

/* After find_regions: decides how many work-items a pack has, in how many rows, along which dimension. Gives wg->pack, unless
 * work-items run alone. `is_free`: the width may change. */
void width_decide(struct wg *, bool is_free);
void wg_know_packs(struct wg *); /* of the current width: uniformity, and where lanes part */
/* How often a node of cfg runs, about, as a power of two; after linearize_regions. */
unsigned width_log_runs(const struct wg *, unsigned node);
/* Whether lanes part on the condition in one pack of a row of the NDRange, or a few: as at the edges of data. */
bool width_is_edge(const struct wg *, LLVMValueRef condition);
bool row_count_may_rise(const struct wg *); /* packs may be of several rows of the work-group */
void row_count_raise(struct wg *);          /* to as many as are asked for */
/* By node of cfg: the vector registers that its values take in packs of this width where most of them live. With `wait`,
 * not those of values that its innermost loop doesn't use: they may be in memory all the while. */
unsigned *register_pressure_find(const struct wg *, uint32_t width, bool wait);
/* About how many instructions packs of the current width take, all regions together. */
uint64_t code_size(const struct wg *);
enum {
    VECTOR_LONG_BLOCK = 150,
    VECTOR_MANY_BLOCKS = 64 /* of a checked kernel */
}; /* instructions that are too many to have twice, for when all lanes are on */

/* ---- parting.c ---- */

/* Whether lanes part on the condition in one pack of a row, or a few. */
bool parting_is_range(const struct wg *, LLVMValueRef condition);
/* Whether the loop that lanes leave on the condition is a search, as a binary one: that takes all about as long. */
bool parting_is_search(const struct wg *, const struct linear *whole, unsigned span, LLVMValueRef condition);

/* ---- cost.c ---- */

/* About how many cycles a work-item takes in packs of this width, or (1) alone. The pack's uniformity is that of wg->pack. */
double cost_of_work_item(const struct wg *, uint32_t width);
/* The same of each region, once; 0: it has a loop. */
void cost_of_regions(const struct wg *, uint32_t width, double *by_region);
/* Whether packs of a width would wait for chains of values a good part of the time. */
bool cost_waits(const struct wg *, uint32_t width);
/* How much of the time they would wait for lines of the cache in loops that go from row to row. */
double cost_of_lines(const struct wg *, uint32_t width);
bool cost_is_known(const struct wg *); /* not of kernels that are too large to look at */
/* Where lanes of one pack in a row part by their ids, and other packs of it may have nothing to do: how much of the time isn't spent
 * in loops that all packs are in, without such ways and barriers. 0: there are none. */
double cost_of_ranges(const struct wg *, uint32_t width);
/* Whether there are calls that lanes make one by one: each is there as often as a pack has lanes. */
bool cost_has_calls(const struct wg *);
/* What estimates don't know: elements of local memory that work-items exchange often stay in registers where packs are one row
 * (local_tiles.c); where each work-item goes through memory of its own, wider packs need more lines and pages at a time. */
bool cost_has_local_rows(const struct wg *), cost_has_distant_rows(const struct wg *);
/* Whether it reads global memory at places each of which is in another line, or which data tells. */
bool cost_has_gathers(const struct wg *);
/* Whether code looks where the elements of some access lie, as of `t[(l + step) % n]`. */
bool cost_has_looks(const struct wg *);
/* Where lanes of packs part, or NULL: they hardly do. */
LLVMValueRef cost_of_parting(const struct wg *);
/* Whether lanes part at other branches than those by which they leave loops. */
bool cost_has_skips(const struct wg *);

/* ---- contiguity.c ---- */

/* After slots_demote: gives slot.of_memory, by which packs don't look whether such indices are in a row. */
void contiguity_slots(struct wg *);
void contiguity_limit(struct wg *); /* gives wg.looks_from */

/* ---- turn.c ---- */

/* After linearize_regions: packs along another dimension of the work-group where that is faster. */
void turn_packs(struct wg *);
/* Before: where rows have one work-item. */
void turn_column(struct wg *);
/* Of a work-group whose rows have one work-item, a longer dimension; else 0. */
unsigned turn_of_column(const struct kernel *);

/* ---- tuples.c: adjacent elements as OpenCL vectors ---- */

/* True: there are some, and what was known of values has to be found again. */
bool tuples_make(struct wg *);
/* What it would do: accesses that it joins -> of how many elements, those that it drops -> 0. False: it joins none. */
bool tuples_look(struct wg *, struct ptrmap *parts);

/* ---- deal.c: elements of a pack dealt out to its lanes ---- */

/* True: some are, and what was known of values has to be found again. */
bool deal_elements(struct wg *);

/* ---- counters.c: what lanes add to elements that they find by data, lane by lane ---- */

/* True: there is some, and what was known of values has to be found again. */
bool counters_make(struct wg *);

/* ---- yield.c: sub-groups that wait for each other ------------------------------------------------------------- */

void yield_insert(struct kernel *);
bool yield_is(LLVMValueRef);
void yield_find(struct wg *);     /* gives region.yields */
void yield_crossing(struct wg *); /* gives region.kept; its slots cross */
bool yield_keeps(const struct wg *, const struct region *,
                 unsigned slot);              /* not an array, which is there anyway */
uint64_t yield_mask_bytes(const struct wg *); /* per work-item */
/* Around a region's loop over packs: which runs again while one of them waits. */
LLVMBasicBlockRef yield_rounds_begin(struct wg *);
void yield_rounds_end(struct wg *, LLVMBasicBlockRef begin);
LLVMValueRef yield_resuming(struct wg *);  /* i1: not the first round */
LLVMBasicBlockRef yield_fork(struct wg *); /* goes on in later rounds; gives where the first one does */
void yield_dispatch(struct wg *, LLVMValueRef state); /* goes to the place: wg.places */
void yield_be_patient(struct wg *);                   /* a pack begins, or goes on */
/* A place: begin (the builder is where the pack is put aside; gives its state), return (it is where the pack comes
 * back), end (both ways meet). */
struct pause {
    LLVMBasicBlockRef back, on;
};
LLVMValueRef yield_begin(struct wg *, struct pause *);
void yield_return(struct wg *, struct pause *);
void yield_end(struct wg *, struct pause *);

/* ---- shown.c: variables for debuggers -------------------------------------------------------------------------- */

void shown_find(struct wg *);    /* before blocks are split: gives wg.shown */
void shown_declare(struct wg *); /* in k->run's entry, when slots are known */
/* What debuggers take for the instruction's line and function in code for the region. */
void shown_place(struct wg *, const struct region *, LLVMValueRef copy);
/* A work-item begins a region, where the variable is at this address. */
void shown_note(struct wg *, const struct slot *, LLVMValueRef at);

/* ---- loop_bounds.c: where the work-items end that have something to do ---------------------------------------------- */

void loop_bounds_conditions(struct wg *);             /* gives wg.bounds; before slots_demote */
void loop_bounds_find(struct wg *, struct region *);  /* gives region.bounds; after find_crossing */
void loop_bounds_begin(struct wg *, struct region *); /* before item_loops_begin: gives packs.bounds */
/* At the end of the block `node` in code for the region. `scalar_of` gives an original value, or NULL if it isn't one
 * scalar there. */
void loop_bounds_note(struct wg *, struct region *, unsigned node,
                      LLVMValueRef scalar_of(void *, LLVMValueRef), void *arg);

double loop_bounds_filled(const struct wg *,
                          const struct region *); /* how many of its packs' lanes are on, about */

/* ---- alone.c: regions whose work-items run one by one ---------------------------------------------------------------- */

void alone_estimate(struct wg *);                /* before slots_demote */
void alone_choose(struct wg *, struct region *); /* after loop_bounds_find: gives region.alone */

/* ---- check.c: assertions ---- */

void check_values(struct wg *); /* before slots_demote */
void check_slots(struct wg *);  /* before regions are cut */

/* ---- print_analysis.c: does nothing unless k->analysis is given ------------------------------------------------ */

void print_analysis_values(struct wg *); /* before slots_demote */
void print_analysis_slots(struct wg *);  /* before regions are cut */

/* ---- report.c ---- */

void report_regions(struct wg *); /* regions, what lives after their barriers, and loops */

/* ---- subgroup_ops.c ---- */

/* The call's value for a pack of one work-item, at c->b; NULL: it has none. */
LLVMValueRef subgroup_alone(struct wg *, LLVMValueRef call, LLVMValueRef *args);
/* vector/checks.c: a checked kernel's access by a work-item that is alone */
bool checks_is(LLVMValueRef);
void checks_choose(struct wg *); /* of a checked kernel, for packs */
void checks_alone(struct wg *, LLVMValueRef call, LLVMValueRef *args);

/* ---- scalar_region.c ---- */

/* Emits the region for the work-item packs.linear, from the builder's position; all paths end at packs.latch.
 * `snapshots`: by slot, the work-group's value on entry, or NULL. `apart`: only if it waits for the region. */
void scalar_region(struct wg *, struct region *, LLVMValueRef *snapshots, bool apart);

/* ---- lane_totals.c: a work-group's reductions ---------------------------------------------------------------------- */

void totals_begin(struct wg *, struct region *); /* before item_loops_begin */
void totals_end(struct wg *, struct region *);   /* after item_loops_end */

/* ---- vector_region.c ------------------------------------------------------------------------------------------------- */

/* The same for the pack whose first work-item is packs.linear. */
void vector_region(struct wg *, struct region *, LLVMValueRef *snapshots, bool apart);

#endif
