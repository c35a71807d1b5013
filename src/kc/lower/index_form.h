/* index_form.h: addresses in local memory as sums over local ids and counts of loops (index_form.c). */
#ifndef WEIR_KC_INDEX_FORM_H
#define WEIR_KC_INDEX_FORM_H

#include "instrument.h"

/* A loop with one way in and out, at its header, whose rounds are known by its count. */
struct counted_loop {
    LLVMValueRef phi, start;
    unsigned header, latch; /* nodes of the instrumented graph */
    uint64_t *blocks;       /* a bit for each node */
    uint64_t step, bound;   /* the count grows by `step` while it is below */
};

enum part { WHOLE, QUOTIENT, REST };
struct term {
    const struct counted_loop *loop; /* that counts; NULL: an id, or 1 */
    unsigned dims; /* a bit for each: of the id; of what work-items go through together in the loop */
    unsigned id;   /* of a launch: WEIR_COUNTER_* with the dimension */
    unsigned by;   /* 1 + the stride that it is multiplied by, or 0 */
    enum part part;
    uint64_t divisor; /* of QUOTIENT and REST: a number, or 0: */
    unsigned split;   /* 1 + the stride that divides */
    int64_t times;
    uint64_t n; /* values of the counter; ids of a launch and what has no counter have none */
    /* Of those the ones that it has where the access is (guards.c), and that all come with all of the other counters' if it
     * isn't `loose`. */
    int64_t least, most;
    bool loose;
    /* A loop's: where the access is, it is as it was at the barrier before for all, or as in the round after that; so it is the
     * same for all work-items that are between the same two barriers. */
    enum steady { UNSTEADY, AS_IT_WAS, IN_THE_NEXT_ROUND } steady;
};
/* What conditions say of a local id and a loop's count: it is at least times * rounds + least. */
struct above {
    const struct counted_loop *loop; /* NULL: nothing */
    int64_t times, least;
    enum steady steady; /* as of a term */
};
enum { FORM_TERMS = 6 };
struct form {
    int64_t constant; /* bytes */
    unsigned n;
    struct term term[FORM_TERMS];
    unsigned fixed; /* a bit for each dimension in which only work-items of one local id access it: */
    int64_t at[3];
    struct above above[3];                  /* by dimension */
    LLVMValueRef stride[WEIR_FORM_STRIDES]; /* of a launch: integer arguments; else what a group has alike */
};

/* A loop that counts alike for all work-items of a group. */
struct alike_loop {
    unsigned header, latch; /* a node; which of its PHIs' incoming values is the next round's */
    uint64_t *blocks;       /* a bit for each node */
};
struct alike {
    struct instrumenting *in;
    struct ptrmap loops; /* PHI -> struct alike_loop, or 0 */
    struct list asked;   /* PHIs */
    unsigned depth;
};

/* What conditions say of a local id, or of a part of it, where an access is. */
struct guard {
    unsigned dim;
    enum part part;
    uint64_t divisor;
    int64_t least, most;
};
enum { GUARDS_MOST = 8 };

struct forms {
    struct instrumenting *in;
    struct guard guard[GUARDS_MOST];
    unsigned nguards;
    struct above above[3]; /* by dimension */
    bool are_all;  /* whoever has ids that forms count and comes to the way to the access goes on to it */
    bool is_never; /* they contradict each other */
    bool is_free;  /* none are asked for */
    bool
        is_wide; /* also of conditions before the loops that the access is in, and before where ways to it meet: not to ask
                       whether they are all */
    bool of_launch; /* of addresses in buffers: see form_of_launch */
    struct alike *
        alike; /* forms may have what a group has alike as strides, which are less than 2^31; NULL: they have none */
    struct ptrmap loops; /* PHI -> struct counted_loop, or 0 */
    unsigned depth;
};

/* Of what the instruction accesses at `p`, from its variable or argument on. False: it has none. */
bool form_of(struct forms *, LLVMValueRef access, LLVMValueRef p, struct form *);
/* The same from an argument on (of_launch): over ids in the launch, whose sizes aren't known yet, and with integer arguments as
 * factors. It holds where the sum of all that it may be at most is below 2^31. */
bool form_of_launch(struct forms *, LLVMValueRef access, LLVMValueRef p, LLVMValueRef argument,
                    struct form *);
/* The value of an integer in the block, which isn't negative, unless it is one number. */
bool form_of_value(struct forms *, LLVMValueRef v, LLVMBasicBlockRef, struct form *);

/* ---- guards.c ---- */

/* Notes what holds of local ids wherever the block is executed, from conditions in the last GUARDS_WAY blocks before it that have
 * one predecessor each, and whether they say all that these conditions do. */
void guards_find(struct forms *, LLVMBasicBlockRef);
enum { GUARDS_WAY = 64 };

/* ---- alike.c ---- */

/* Whether the integer, in the block that the node is, is the same for all work-items of a group that are in the same rounds of the
 * loops around it. */
bool alike_value(struct alike *, LLVMValueRef v, unsigned node);
/* The one block from which the node's is come to but for the rounds of its loop; -1: there are several. */
int alike_way_to(const struct instrumenting *, unsigned node);
/* Loops with whose next round such a value may change (struct alike_loop). */
void alike_loops(struct alike *, LLVMValueRef v, struct list *loops);
bool alike_is_power(struct alike *, LLVMValueRef v); /* of two, or 0 */
/* Whether it is in [1, 2^31) where the block is executed, or [0, 2^31). */
bool alike_is_divisor(struct alike *, LLVMValueRef v, unsigned node, bool may_be_0);

/* ---- form_relations.c: what follows from forms ---- */

/* Whether it has strides, and is of a group: only form_is_apart knows what follows from it. */
bool form_has_strides(const struct form *);

/* The offsets that an access of that form may begin at. */
void form_range(const struct form *, int64_t *least, int64_t *most);
/* The bytes that all values of the counters access together, if they lie in a row without holes. */
struct row {
    uint64_t start, bytes;
};
bool form_row(const struct form *, uint64_t bytes, struct row *);
/* Takes counters whose values lie side by side into the bytes, for forms that begin there to be joined. False: not all values
 * of one come with all of the others'. */
bool form_condense(struct form *, uint64_t *bytes);
/* Whether what the other one accesses always lies right behind; then the first is both. */
bool form_join_row(struct form *, uint64_t *bytes, const struct form *next, uint64_t next_bytes);
/* Whether no byte is accessed by one work-item of the group at the one form, by another one at the other, in any rounds. */
bool form_is_apart(struct forms *, const struct form *, const struct form *, uint64_t bytes,
                   uint64_t other_bytes);
bool form_is_same(const struct form *, const struct form *);
/* Whether a work-item that accesses one of them at some values of its counters accesses the same at the other one. */
bool form_is_sum(const struct form *, const struct form *);
/* Whether an access of that form lies in what one of the other form accesses, of as many bytes, for some values. */
bool form_is_within(const struct form *, const struct form *of);

#endif
