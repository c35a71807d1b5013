/* lower.h: the passes before regions are formed, and what of them later stages use. */
#ifndef WEIR_KC_LOWER_H
#define WEIR_KC_LOWER_H

#include "kernel.h"

struct uniform;

/* ---- fence.c ---- */

/* The memory model's fence for constant or computed flags, order and scope; one thread runs the group. */
void fence_emit(LLVMBuilderRef, LLVMValueRef flags, LLVMValueRef order, LLVMValueRef scope);

/* A barrier's, or one half's, by its flags and scope: what other work-groups may see. `synchronizes`: they may watch. */
void fence_emit_barrier(LLVMBuilderRef, LLVMValueRef flags, LLVMValueRef scope, LLVMAtomicOrdering,
                        bool synchronizes);

/* ---- aggregates.c ---- */

bool aggregates_is_large(LLVMTypeRef);
/* Before variables that functions have in memory become values: large ones that they return or copy are to stay there. */
void aggregates_hold(LLVMModuleRef);

/* ---- unroll.c ---- */

/* Gives the loop that the branch closes the property `wish`, with its number but for 0, unless the program says how it is to be
 * unrolled. */
void unroll_ask(struct kernel *, LLVMValueRef branch, const char *wish, unsigned count);

/* ---- enter.c ---- */

/* Of an argument in local memory, where the variant is made for its size, as checked ones are; else 0. */
uint64_t enter_local_bytes(const struct kernel *, unsigned argument);

/* ---- turns.c ---- */

/* Rounds until pointers to local memory that take turns, and numbers that go around, are what they were; 1: none do. */
unsigned turns_of(LLVMBasicBlockRef header, LLVMBasicBlockRef latch);

/* ---- unroll_steps.c ---- */

/* What the pass does, of a checked kernel, whose accesses aren't instrumented yet: each stays, or has copies. */
void unroll_steps_checked(struct kernel *);

/* ---- known_spaces.c ---- */

void known_spaces(struct kernel *); /* of a checked kernel */

/* ---- address_choices.c ---- */

/* Whether the address is a pointer that lanes share and one index, of which code may look whether it goes on evenly
 * (vector/contiguity.c). */
bool address_has_one_index(const struct uniform *pack, LLVMTargetDataRef, LLVMValueRef address);
/* Whether a value would be evenly apart from lane to lane, and how far, if others stood for those that `taken` has one for: one arm
 * for a choice, say, or what a PHI has on one way. */
struct address_way {
    const struct uniform *pack;
    LLVMTargetDataRef layout;
    LLVMValueRef (*taken)(const void *arg, LLVMValueRef); /* NULL: the value stays */
    const void *arg;
};
bool address_stride(const struct address_way *, LLVMValueRef, int64_t *stride);

/* ---- part_copies.c ---- */

struct code_part {
    struct kernel *k;
    struct list blocks; /* that are copied, the first one first */
    struct ptrmap in;   /* those, and their instructions */
    LLVMBasicBlockRef join;
};
/* Finds the blocks from the first to `join`, or, as that is NULL, to where all ways meet; false: they have more than `most`
 * instructions, or what can't be there twice. `barriers` may. */
bool part_find(struct code_part *, LLVMBasicBlockRef first, LLVMBasicBlockRef join, unsigned most,
               bool barriers);
/* What others use of the part's values comes from PHIs at the join: before its copies are made. */
void part_export(struct code_part *);
/* A copy behind `start`, which has no end yet and computes what stands in the copy for values before the part: `map`. */
void part_copy(struct code_part *, LLVMBasicBlockRef start, struct ptrmap *map, const char *name);
/* What stands for a value in such a copy; computed at its start if need be. */
LLVMValueRef part_value(struct code_part *, LLVMBuilderRef at_start, struct ptrmap *map, LLVMValueRef);
/* The block's instructions from this one on become a block of their own, to which it goes on. */
LLVMBasicBlockRef part_before(LLVMValueRef first, const char *name);

/* ---- if_conversion.c ---- */

/* Whether lanes part by ids alone, which switch most packs off or on as a whole. */
bool if_conversion_is_of_ids(const struct uniform *pack, LLVMValueRef condition);

/* ---- stay.c ---- */

void stay_resolve(struct kernel *); /* as regions are formed */

/* ---- passes, in the order of pipeline.c's table; each file's head says what it needs and gives ---- */

void enter_pass(struct kernel *);               /* enter.c */
void math_calls_pass(struct kernel *);          /* math_calls.c */
void stay_pass(struct kernel *);                /* stay.c */
void initialize_pass(struct kernel *);          /* initialize.c */
void mark_calls_pass(struct kernel *);          /* mark_calls.c */
void passed_ids_pass(struct kernel *);          /* passed_ids.c */
void show_variables_pass(struct kernel *);      /* show_variables.c */
void inline_pass(struct kernel *);              /* inline.c */
void aggregates_pass(struct kernel *);          /* aggregates.c */
void components_pass(struct kernel *);          /* components.c */
void instrument_pass(struct kernel *);          /* instrument.c */
void printf_pass(struct kernel *);              /* printf.c */
void globals_pass(struct kernel *);             /* globals.c */
void local_pass(struct kernel *);               /* globals.c */
void queries_pass(struct kernel *);             /* queries.c */
void divide_pass(struct kernel *);              /* divide.c */
void devolatilize_pass(struct kernel *);        /* devolatilize.c */
void address_spaces_pass(struct kernel *);      /* address_spaces.c */
void apart_pass(struct kernel *);               /* apart.c */
void unroll_pass(struct kernel *);              /* unroll.c */
void unroll_steps_pass(struct kernel *);        /* unroll_steps.c */
void step_versions_pass(struct kernel *);       /* step_versions.c */
void flipped_bits_pass(struct kernel *);        /* flipped_bits.c */
void limits_pass(struct kernel *);              /* limits.c */
void row_pitch_pass(struct kernel *);           /* row_pitch.c */
void sunk_accesses_pass(struct kernel *);       /* sunk_accesses.c */
void object_indices_pass(struct kernel *);      /* object_indices.c */
void moved_bases_pass(struct kernel *);         /* moved_bases.c */
void reads_again_pass(struct kernel *);         /* reads_again.c */
void joined_tests_pass(struct kernel *);        /* joined_tests.c */
void barrier_elimination_pass(struct kernel *); /* barrier_elimination.c */
void flatten_pass(struct kernel *);             /* flatten.c */
void expand_copies_pass(struct kernel *);       /* expand_copies.c */
void any_all_pass(struct kernel *);             /* any_all.c */
void branch_phis_pass(struct kernel *);         /* branch_phis.c */
void if_conversion_pass(struct kernel *);       /* if_conversion.c */
void walks_pass(struct kernel *);               /* walks.c */
void address_choices_pass(struct kernel *);     /* address_choices.c */
void left_values_pass(struct kernel *);         /* left_values.c */
void texels_pass(struct kernel *);              /* texels.c */
void row_versions_pass(struct kernel *);        /* row_versions.c */
void publish_pass(struct kernel *);             /* enter.c */

/* ---- globals.c ---- */

/* What runs after program-scope variables have their initial values: a work-group function in the module, for a group of one
 * work-item, and the memory that it needs; `run` is NULL if there is none. */
struct constructors {
    const char *run;
    uint64_t local_bytes, context_bytes;
};
/* Program IR to a module with WEIR_GLOBALS_SYMBOL, which initializes program-scope variables. */
void globals_program(struct job *, LLVMModuleRef, const struct constructors *);

#endif
