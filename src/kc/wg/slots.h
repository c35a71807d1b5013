/* slots.h: values that live in memory while regions are cut apart. */
#ifndef WEIR_KC_SLOTS_H
#define WEIR_KC_SLOTS_H

#include "analysis.h"

/* ---- slots.c: values that live in memory while regions are cut apart ---------------------------------------- */

/* A variable of one work-item, an alloca of k->run. After slots_demote no value but allocas, constants and
 * parameters is used outside the block that computes it, and there are no PHIs: blocks can be copied freely. */
struct slot {
    LLVMValueRef var;
    LLVMTypeRef type;
    bool is_array;  /* the program's own variable, reached by address; else a demoted value */
    bool escapes;   /* is_array: its address may be anywhere */
    bool uniform;   /* one value for the whole work-group */
    bool is_affine; /* in a pack: one scalar plus `stride` per lane (0: one value for the pack) */
    int64_t stride;
    bool of_memory;      /* what lanes read from memory, each its own, or computed of it (contiguity.c) */
    bool of_rows;        /* in a pack of several rows: one scalar for each, plus `stride` per lane of it */
    bool joined;         /* of several (coalesce.c): a lane may rely on what is there */
    bool crosses;        /* may be read after a barrier that it was written before */
    uint64_t bytes;      /* per work-item in the context, padded to its alignment */
    uint64_t align;      /* is_array: as the program asks for; else 1 */
    uint64_t offset;     /* crosses, varying: in its area of the context, in bytes per work-item;
                          * else with `fixed`: of the variable among the large arrays */
    bool fixed;          /* too large for the stack: one per lane for all work-items in turn */
    uint64_t grain;      /* is_array, in a pack: interleaved: bytes of its elements; 0: lane by lane */
    LLVMValueRef shared; /* crosses, uniform: the work-group's copy */
    LLVMValueRef wide;   /* vector_region.c's variable for a pack */
    LLVMValueRef shown;  /* the variable that tells debuggers where it is (shown.c), or NULL */
    LLVMValueRef *rows;  /* of_rows: instead, one for each row */
};
struct slots {
    struct slot *at;
    unsigned n;
    struct ptrmap by_var;
    uint64_t **live_in, **touched_in; /* bit sets by block: may be read from here on; may have been written */
};
/* Whether each work-item would have its own slot for the value if it were needed elsewhere. */
bool slots_would_keep(struct kernel *, const struct uniform *, LLVMValueRef);
/* `pack`: of_pack uniformity, which learns of new instructions, or NULL at width 1. */
void slots_demote(struct kernel *, const struct uniform *, struct uniform *pack, struct slots *);
void slots_liveness(struct kernel *, struct slots *, const struct graph *, const struct ptrmap *index,
                    LLVMBasicBlockRef *blocks);
/* coalesce.c: joins crossing values that are copies of each other; needs liveness, and which values cross. */
void slots_coalesce(struct slots *, const struct graph *, LLVMBasicBlockRef *blocks,
                    const unsigned char *parts); /* by node: not all lanes may run it; NULL: all do */
/* The slot that a load or store of k->run names directly, or NULL. */
struct slot *slots_of_access(const struct slots *, LLVMValueRef load_or_store);

#endif
