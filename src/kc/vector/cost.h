/* cost.h: the estimate of cycles: what cost.c, frequency.c, cycles.c and latency.c share. */
#ifndef WEIR_KC_COST_H
#define WEIR_KC_COST_H

#include "vector.h"

/* An island of a region. */
struct island {
    double came; /* how often work-items come to it in a round of the loop around it; 0: that is its own */
    double most; /* `most` of the block before it */
};

/* Of one form of packs. */
struct cost {
    const struct wg *wg;
    const struct linear *whole;
    LLVMTargetDataRef layout;
    uint32_t width; /* 1: work-items one by one */
    unsigned *ipdom;
    unsigned *region, *place; /* by node: a region that it is in plus 1, and its number there */
    struct island **islands;  /* by region and island */
    double *share;            /* by node: how often a work-item runs it in a round of the innermost loop */
    double *most;             /* by node: the same if all went both ways where data decides */
    double *entered;          /* by span: how often it begins in a round of the loop around it */
    double *most_entered;     /* the same if all went both ways where data decides */
    unsigned *pressure;       /* by node: vector registers that its values take where most of them live */
    bool never_waits;         /* leaves out what packs wait for chains of values */
    bool never_fetches;       /* leaves out what they wait for lines of the cache */
    bool fetches_all;         /* counts it also where there are few rows */
    struct exit **exits;      /* by span */
    struct ptrmap parts;      /* accesses that tuples.c joins, or drops (0) -> of how many elements */
};

/* ---- frequency.c ---- */

/* Finds `share` and `entered`, and what belongs to them. */
void frequency_find(struct cost *);
LLVMValueRef frequency_end(const struct cost *, unsigned node);
LLVMValueRef frequency_condition(LLVMValueRef end); /* of a branch; else NULL */
/* Whether lanes may part at the node's end, and if, by a range of ids. */
bool frequency_parts(const struct cost *, unsigned node);
bool frequency_is_by_range(const struct cost *, unsigned node);
bool frequency_is_in(const struct cost *, unsigned span, unsigned node);
/* How often a pack runs the node, or begins the loop whose first node it is, in a round of the loop `span`, where a
 * work-item does `share` times. */
double frequency_of(const struct cost *, unsigned node, unsigned span, double share, bool begins);
/* The rounds of a work-item: one where they try until an exchange succeeds, a constant number, or that of the mean work-item where
 * they share out a constant number; 0: nobody knows. Of frequency_rounds what is usual then. */
double frequency_known_rounds(const struct cost *, unsigned span);
double frequency_rounds(const struct cost *, unsigned span);
/* How many more rounds a pack goes around the loop than a work-item. */
double frequency_lateness(const struct cost *, unsigned span);
double frequency_packs_in_row(const struct cost *);
bool frequency_leaves(const struct cost *, unsigned span, unsigned node);
/* How hard a work-item's way from the node is to guess: 1 where half of them go either way by what memory tells, 0 where ids
 * alone decide, which repeats. */
double frequency_unsure(const struct cost *, unsigned span, unsigned node);
/* Whether the loop is a binary search: nobody guesses which half is next. */
bool frequency_is_search(const struct cost *, unsigned span);

/* ---- cycles.c ---- */

/* With the branch at its end. `span`: the innermost loop around it, or NONE. */
double cycles_of_block(const struct cost *, unsigned node, unsigned span);
bool cycles_is_vector(const struct cost *, LLVMValueRef);
bool cycles_has_barrier(const struct cost *, unsigned span);
bool cycles_has_cut(const struct cost *, unsigned span); /* of group_rounds.c */
bool cycles_has_call(const struct cost *);               /* that lanes make one by one */
double cycles_registers(const struct cost *, LLVMTypeRef);

/* ---- latency.c ---- */

double latency_of_round(const struct cost *, unsigned span);
/* How long a pack waits for the longest chain of values in a round of the loop, or outside loops (NONE). */
double latency_of_chain(const struct cost *, unsigned span);
/* By what a loop's latency is divided, as the processor is at the next work-items or packs meanwhile. */
double latency_hidden(const struct cost *, unsigned span);

#endif
