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
    unsigned by;   /* of a launch: 1 + the stride that it is multiplied by, or 0 */
    enum part part;
    uint64_t divisor; /* of QUOTIENT and REST */
    int64_t times;
    uint64_t n; /* values of the counter; ids of a launch and what has no counter have none */
};
enum { FORM_TERMS = 6 };
struct form {
    int64_t constant; /* bytes */
    unsigned n;
    struct term term[FORM_TERMS];
    LLVMValueRef stride[WEIR_FORM_STRIDES]; /* of a launch: integer arguments */
};

struct forms {
    struct instrumenting *in;
    bool of_launch;      /* of addresses in buffers: see form_of_launch */
    struct ptrmap loops; /* PHI -> struct counted_loop, or 0 */
    unsigned depth;
};

/* Of what the instruction accesses at `p`, from its variable or argument on. False: it has none. */
bool form_of(struct forms *, LLVMValueRef access, LLVMValueRef p, struct form *);
/* The same from an argument on (of_launch): over ids in the launch, whose sizes aren't known yet, and with integer arguments as
 * factors. It holds where the sum of all that it may be at most is below 2^31. */
bool form_of_launch(struct forms *, LLVMValueRef access, LLVMValueRef p, LLVMValueRef argument,
                    struct form *);
/* The bytes that all values of the counters access together, if they lie in a row without holes. */
struct row {
    uint64_t start, bytes;
};
bool form_row(const struct form *, uint64_t bytes, struct row *);
/* Whether no two work-items of a group access the same byte, in any rounds. */
bool form_is_own(struct forms *, const struct form *, uint64_t bytes);
bool form_is_same(const struct form *, const struct form *);
/* Whether an access of that form lies in what one of the other form accesses, of as many bytes, for some values. */
bool form_is_within(const struct form *, const struct form *of);

#endif
