/* regions.h: what regions.c, which cuts and loops, and vector.c, which fills a pack's lanes, share. */
#ifndef WEIR_REGIONS_H
#define WEIR_REGIONS_H

#include "kc.h"

/* The state of a work-item: where it waits. Below cut.nyields: a place of its region where it yields; then come the
 * regions. */
#define DONE UINT32_MAX /* it has ended */

struct region {
    unsigned start;         /* block where its work-items begin */
    LLVMValueRef barrier;   /* that leads here; NULL: the entry */
    struct list blocks;     /* indices of its blocks, as pointers */
    unsigned char *is_exit; /* by region: may be next; [nregions]: the end */
    unsigned nexits;
    struct linear *linear; /* for packs */
    LLVMValueRef parts;    /* a branch behind which work-items may take different exits, or NULL */
    bool guarded;
    bool yields;             /* sub-groups wait for each other in it (yield.c) */
    uint64_t *stored;        /* slots that it may write */
    uint64_t *kept;          /* yields: slots that live in it */
    struct list bounds[3];   /* by dimension: work-items beyond all of these have nothing to do (bound.c) */
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
    struct linear *whole;         /* an order of the whole function, as one island, and its loops */
    unsigned char *masked;        /* by node of cfg: not all lanes of a pack may run it; NULL at width 1 */
    struct ptrmap barrier_region; /* barrier block -> region behind it */
    struct region *regions;
    unsigned nregions;
    struct list bounds; /* the function's (bound.c) */
    struct packs packs;
    struct memory_facts facts;
    LLVMBuilderRef b;
    LLVMValueRef global_base[3];
    LLVMValueRef context;
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

/* ---- regions.c: for item.c and vector.c, which fill a region's loop ------------------------------------------- */

/* Where in the context the current work-item, or the first of the pack, has what lies behind `offset` bytes of others. */
LLVMValueRef cut_context_address(struct cut *, uint64_t offset, const char *name);
LLVMValueRef cut_slot_address(struct cut *, const struct slot *);
unsigned cut_alignment(uint64_t bytes);
unsigned cut_region_behind(const struct cut *, LLVMBasicBlockRef); /* a barrier's block; 0: it is none */
uint32_t cut_state(const struct cut *, unsigned region); /* of those that wait for it; nregions: the end */
bool cut_keeps_state(const struct cut *, const struct region *from, unsigned to);
LLVMValueRef cut_number(LLVMTypeRef, uint32_t); /* of an integer type, or in each element of a vector */
/* Joins the lowest and the highest state of some work-items into what the group runs next. */
void cut_vote(struct cut *, LLVMValueRef low, LLVMValueRef high);
/* i1 or a vector of them: which work-items run the region by their states. `apart`: those that wait for it, or in later
 * rounds those at one of its places; else, in later rounds, the latter. */
LLVMValueRef cut_runs(struct cut *, const struct region *, LLVMValueRef states, bool apart);
enum memory_kind cut_kind(LLVMValueRef access);
/* The id that a query call asks for, of lane 0, as an integer of the given type. */
LLVMValueRef cut_item_id(struct cut *, LLVMValueRef call, LLVMTypeRef);

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
void linear_regions(struct cut *); /* gives region.linear and cut.masked; for packs */
/* The region's blocks and exits as a graph: node i < blocks.n is its i-th block, node blocks.n + e is exit e. */
struct graph *region_graph(struct cut *, const struct region *);
/* Whether span `s` (or one around it, if deep) holds the node. */
bool linear_holds(const struct linear *, unsigned span, unsigned node);

/* ---- width.c, pressure.c ---- */

void width_of_regions(struct cut *); /* behind find_regions */
bool width_jam(struct cut *);        /* behind linear_regions: whether it has become another one */
/* By node of cfg: the vector registers that its values take in packs of this width where most of them live. */
unsigned *pressure_find(const struct cut *, uint32_t width);

/* ---- yield.c: sub-groups that wait for each other ------------------------------------------------------------- */

void yield_insert(struct kernel *);
bool yield_is(LLVMValueRef);
void yield_find(struct cut *);     /* gives region.yields */
void yield_crossing(struct cut *); /* gives region.kept; its slots cross */
bool yield_keeps(const struct cut *, const struct region *,
                 unsigned slot);               /* not an array, which is there anyway */
uint64_t yield_mask_bytes(const struct cut *); /* per work-item */
/* Around a region's loop over packs: which runs again while one of them waits. */
LLVMBasicBlockRef yield_rounds_begin(struct cut *);
void yield_rounds_end(struct cut *, LLVMBasicBlockRef begin);
LLVMValueRef yield_resuming(struct cut *);  /* i1: not the first round */
LLVMBasicBlockRef yield_fork(struct cut *); /* goes on in later rounds; gives where the first one does */
void yield_dispatch(struct cut *, LLVMValueRef state); /* goes to the place: cut.places */
void yield_be_patient(struct cut *);                   /* a pack begins, or goes on */
/* A place: begin (the builder is where the pack is put aside; gives its state), return (it is where the pack comes
 * back), end (both ways meet). */
struct pause {
    LLVMBasicBlockRef back, on;
};
LLVMValueRef yield_begin(struct cut *, struct pause *);
void yield_return(struct cut *, struct pause *);
void yield_end(struct cut *, struct pause *);

/* ---- bound.c: where the work-items end that have something to do ---------------------------------------------- */

void bound_conditions(struct cut *);             /* gives cut.bounds; before slots_demote */
void bound_find(struct cut *, struct region *);  /* gives region.bounds; behind find_crossing */
void bound_begin(struct cut *, struct region *); /* before packs_begin: gives packs.bounds */
/* At the end of the block `node` in code for the region. `scalar_of` gives an original value, or NULL if it isn't one
 * scalar there. */
void bound_note(struct cut *, struct region *, unsigned node, LLVMValueRef scalar_of(void *, LLVMValueRef),
                void *arg);

/* ---- report.c ---- */

void report_regions(struct cut *); /* regions, what lives behind their barriers, and loops */

/* ---- lanes.c ---- */

/* The call's value for a pack of one work-item, at c->b; NULL: it has none. */
LLVMValueRef lanes_alone(struct cut *, LLVMValueRef call, LLVMValueRef *args);

/* ---- item.c ---- */

/* Emits the region for the work-item packs.linear, from the builder's position; all paths end at packs.latch.
 * `snapshots`: by slot, the work-group's value on entry, or NULL. `apart`: only if it waits for the region. */
void item_region(struct cut *, struct region *, LLVMValueRef *snapshots, bool apart);

/* ---- vector.c ------------------------------------------------------------------------------------------------- */

/* The same for the pack whose first work-item is packs.linear. */
void vector_region(struct cut *, struct region *, LLVMValueRef *snapshots, bool apart);

#endif
