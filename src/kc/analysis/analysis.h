/* analysis.h: facts about k->run before regions are formed. Analyses change nothing. */
#ifndef WEIR_KC_ANALYSIS_H
#define WEIR_KC_ANALYSIS_H

#include "kernel.h"

/* ---- uniform.c: which values all work-items of a group share ---------------------------------------------- */

/* Either of a work-group (which values all its work-items compute alike) or of a pack (which are one scalar for
 * W consecutive work-items of a row). Of a pack also strides: lane i's value is lane 0's + i * stride. */
struct uniform {
    bool of_pack;
    unsigned width, rows;  /* of_pack: lanes, in this many rows of width / rows each */
    struct uniform *row;   /* of_pack, several rows: the same of each row by itself; else NULL */
    struct ptrmap varying; /* values and branches (terminators) that may differ between work-items */
    struct ptrmap
        joins; /* PHIs where work-items from different paths meet, values of loops that they leave at
                            * different times */
    struct ptrmap parted;  /* blocks of loops that work-items may leave in different iterations */
    struct ptrmap strides; /* of_pack: varying values that are affine in the lane -> int64_t */
    struct ptrmap
        offsets; /* of_pack: values without a stride whose lanes' differences are known -> int64_t[width] */
    struct ptrmap
        chosen; /* of_pack: PHIs whose lanes' values come from choices that go by what each has read (chosen.c) */
    struct ptrmap
        exact; /* affine copies (uniform_learn) -> whether their originals are exact, signed or not */
};
bool uniform_is(const struct uniform *, LLVMValueRef);
/* of_pack: whether the value is a scalar plus a multiple of the lane; uniform values have stride 0. */
bool uniform_stride(const struct uniform *, LLVMValueRef, int64_t *stride);
/* The same, perhaps in each row of the pack by itself: then it is a scalar for each row. */
bool uniform_is_even(const struct uniform *, LLVMValueRef, int64_t *stride);
/* of_pack: what to add to lane 0's value for each lane's, where that is known and no multiple of the lane; else NULL. */
const int64_t *uniform_offsets(const struct uniform *, LLVMValueRef);
/* of_pack: whether an affine value doesn't wrap from one active lane to the next. */
bool uniform_is_exact(const struct uniform *, LLVMValueRef, bool is_signed);
/* of_pack: whether an affine value stays affine when it is extended; as what its parts are to be extended then: a sum that
 * is known not to be negative may have parts that are, or only seem to be. */
bool uniform_extends(const struct uniform *, LLVMValueRef extension, bool *is_signed);
/* of_pack: what is known of `v` is known of `copy`, too: a new instruction with the same value. */
void uniform_learn(struct uniform *, LLVMValueRef copy, LLVMValueRef v);
void uniform_run(struct kernel *, struct uniform *);
/* The loops whose rounds lanes run in step, as functions of sub-groups tell who is in one (graph_loops); else none. */
struct list uniform_loops(const struct kernel *, const struct graph *cfg);
/* lane_alignment.c, of_pack: whether a bitwise operation, division or comparison has a stride because packs of this width
 * begin at multiples of it. */
bool lane_alignment_stride(const struct uniform *, LLVMValueRef, int64_t *stride);
/* The same of any value of integers: what to add to lane 0's value for each lane's. */
enum { MOST_LANES = 64 };
bool lane_alignment_offsets(const struct uniform *, LLVMValueRef, int64_t *at);
/* Whether lanes are as far apart when they are extended: they differ in the lowest bits alone. */
bool lane_alignment_extends(const struct uniform *, LLVMValueRef extension);
/* Whether lanes are as far apart as what they are computed of says: true for all but extensions of numbers that may wrap around. */
bool lane_alignment_stays(const struct uniform *, LLVMValueRef);

/* ---- objects.c: variables and buffers that share no memory ---- */

/* As the address of one is made: an argument as k->run loads it, a local variable. */
void object_mark(struct kernel *, LLVMValueRef address);
/* The mark of the one that the pointer is into, if it is known that it is into that; else NULL. */
LLVMValueRef object_of(LLVMValueRef pointer);
/* The mark on the instruction itself, or NULL. */
LLVMValueRef object_own_mark(LLVMValueRef);
/* Sets of objects: bits, by marks. */
struct objects {
    struct ptrmap bits;
    unsigned local, global;
};
#define OBJECTS_ALL UINT32_MAX
/* Those of local, global and generic memory that an access to the pointer may touch: all that it isn't known not to. */
uint32_t objects_at(struct objects *, LLVMValueRef pointer);

/* ---- group_alignment.c ---- */

/* Whether a comparison comes out the same for all work-items of a group, as they differ in low bits alone. */
bool group_alignment_decides(const struct kernel *, const struct uniform *, LLVMValueRef compare);

/* ---- chosen.c ---- */

/* of_pack: finds those PHIs of loops that lanes choose by what they read. */
void chosen_find(struct kernel *, struct uniform *);

/* ---- near_accesses.c ---- */

/* How far other accesses of the block are before an access (at most 0) and behind it, by constants, in bytes. */
struct near {
    int64_t least, most;
};
/* access to local memory -> struct near *, where there are others. */
void near_find(struct kernel *, struct ptrmap *near);
/* Whether the block has stored less than so many bytes from where it loads, but elsewhere, as in `s[x + 1] = s[x]`, `s[x + 2] = s[x + 1]`:
 * what packs load then is partly what they have just stored. */
bool near_is_stored(struct kernel *, LLVMValueRef load, int64_t bytes);

/* ---- value_range.c ---- */

/* The least and the greatest value, signed, that an integer has wherever the block is executed, which it dominates; each at most
 * 2^31 from 0. False: not known. */
struct value_range {
    int64_t least, most;
};
bool value_range_find(const struct kernel *, LLVMValueRef, LLVMBasicBlockRef, struct value_range *);

/* ---- counted_loop.c: loops of one block ---- */

/* The number that goes up or down by one with each round; NULL: there is none, or accesses are ordered. */
LLVMValueRef counted_loop_counter(LLVMBasicBlockRef loop);
/* How many bytes the address goes on with each round; false: not evenly. */
bool counted_loop_distance(LLVMTargetDataRef, LLVMValueRef counter, LLVMValueRef address, int64_t *bytes);
/* How many rounds LLVM computes at once in a work-item that runs alone; 0: one by one. */
unsigned counted_loop_rounds(const struct kernel *, LLVMBasicBlockRef loop);

/* ---- spin_loops.c ---- */

/* Whether the kernel may notice in which order others access memory, or they what it does: by atomics, fences, volatile
 * accesses, or functions that stay calls. */
bool spin_loops_observe(struct kernel *);
/* Whether the instruction's result may depend on what others write at the same time: an atomic, or a volatile load. */
bool spin_loops_observes(LLVMValueRef instruction);
/* A branch that leaves a loop in which work-items wait for each other, or retry what another one was faster with, or NULL: such
 * kernels need width 1. *waits: which of the two. */
LLVMValueRef spin_loops_first(struct kernel *, bool *waits);
/* Where work-items may wait for each other: instructions on each way around such a loop, before which others may run, each
 * followed by one that a report names the loop by. */
struct list spin_loops_places(struct kernel *);

/* ---- own_progress.c: of a loop in which work-items may wait ---- */

struct spin_loop {
    const struct graph *cfg;
    const struct ptrmap *index;
    LLVMBasicBlockRef *blocks, header;
    const unsigned *stamp; /* by block: `own` of those in the loop */
    unsigned own;
    bool works; /* does something else than look whether it may end */
};
/* Whether the branch goes to its successor only if the loop, or another work-item, has got on by that round. */
bool own_progress_on(const struct spin_loop *, LLVMValueRef branch, unsigned successor);
/* Whether a round may find the pointer, or another value, as the round before found it. */
bool own_progress_stays(const struct spin_loop *, LLVMValueRef pointer);

#endif
