/* regions.h: what regions.c, which cuts and loops, and vector.c, which fills a pack's lanes, share. */
#ifndef WEIR_REGIONS_H
#define WEIR_REGIONS_H

#include "kc.h"

#define DONE UINT32_MAX /* the state of a work-item that has ended */

struct region {
    unsigned start;         /* block where its work-items begin */
    LLVMValueRef barrier;   /* that leads here; NULL: the entry */
    struct list blocks;     /* indices of its blocks, as pointers */
    unsigned char *is_exit; /* by region: may be next; [nregions]: the end */
    unsigned nexits;
    LLVMValueRef parts; /* a branch behind which work-items may take different exits, or NULL */
    bool guarded;
    uint64_t *stored;        /* slots that it may write */
    LLVMBasicBlockRef block; /* its code's first block in the new function */
};

struct cut {
    struct kernel *k;
    struct uniform uniform;
    struct uniform *pack; /* NULL at width 1 */
    struct slots slots;
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    unsigned *rank;               /* by block: linear_rank of cfg, for packs */
    struct ptrmap barrier_region; /* barrier block -> region behind it */
    struct region *regions;
    unsigned nregions;
    struct packs packs;
    struct memory_facts facts;
    LLVMBuilderRef b;
    LLVMValueRef global_base[3];
    LLVMValueRef context, state_offset;
    LLVMValueRef next, last; /* i32 variables: the lowest and the highest region that a work-item waits for */
    LLVMBasicBlockRef end;
    bool any_guard;
};

/* ---- linear.c: an order for the blocks of a region that work-items walk on different paths ------------------ */

/* Nodes are the region's blocks (as in region.blocks) and then one per exit. A node is divergent if work-items
 * of a pack may walk past it; divergent nodes form islands: one entry mask per node, run in `order`. */
struct linear {
    struct graph *g;
    unsigned nblocks;
    unsigned *island; /* by node: UINT32_MAX, or its island */
    unsigned nislands;
    unsigned **order; /* by island: its nodes */
    unsigned *length;
    unsigned *after;    /* by island: where all leave to, or UINT32_MAX */
    unsigned *place;    /* by node: position in its island */
    struct span *spans; /* loops inside islands */
    unsigned nspans;
    unsigned *innermost; /* by node: its innermost span, or UINT32_MAX */
};
struct span {
    unsigned island, first, last; /* positions */
    unsigned parent;              /* span around it, or UINT32_MAX */
};
struct linear *linear_of(struct cut *, const struct region *, const struct uniform *pack);
/* By node: its place in an order of the function in which loops follow their headers. */
unsigned *linear_rank(struct graph *);
/* The region's blocks and exits as a graph: node i < blocks.n is its i-th block, node blocks.n + e is exit e. */
struct graph *region_graph(struct cut *, const struct region *);
/* Whether span `s` (or one around it, if deep) holds the node. */
bool linear_holds(const struct linear *, unsigned span, unsigned node);

/* ---- report.c ---- */

void report_regions(struct cut *); /* regions, what lives behind their barriers, and loops */

/* ---- lanes.c ---- */

/* The call's value for a pack of one work-item, at c->b; NULL: it has none. */
LLVMValueRef lanes_alone(struct cut *, LLVMValueRef call, LLVMValueRef *args);

/* ---- vector.c ------------------------------------------------------------------------------------------------- */

/* Emits the region for the pack whose first work-item is packs.linear, from the builder's position; all paths
 * end at packs.latch. `snapshots`: by slot, the work-group's value on entry, or NULL. `apart`: only lanes that wait
 * for the region run, else all of them do. */
void vector_region(struct cut *, struct region *, LLVMValueRef *snapshots, bool apart);

#endif
