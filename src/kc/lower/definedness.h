/* definedness.h: between definedness.c, which finds values that may come from memory that nobody has written and where they
 * matter, and origins.c, which computes beside each one where it comes from. */
#ifndef WEIR_DEFINEDNESS_H
#define WEIR_DEFINEDNESS_H

#include "frontend.h"
#include "instrument.h"
#include "lower.h"

struct variable {            /* in private memory */
    LLVMValueRef origins;    /* an array of i32 */
    uint64_t granule, bytes; /* bytes for each of them, 1 to 4; of the variable */
};

struct defining {
    struct instrumenting *in;
    LLVMContextRef llvm;
    LLVMTypeRef i32;
    struct ptrmap may;       /* values that may be undefined -> 1 */
    struct ptrmap origin;    /* of those that have been reached -> its value */
    struct ptrmap variables; /* alloca that may hold such values -> struct variable */
    struct ptrmap sites;     /* what such values stem from -> the number of its site, an LLVMValueRef */
    struct list work, phis;
    bool taints; /* one of those is stored to local memory, so that reads ask for such stores, too */
};

/* ---- definedness.c ---- */

/* A function of sub-groups that makes a value of the same type of work-items' values. */
bool definedness_joins_lanes(LLVMValueRef);

/* ---- origins.c: all insert before the place that d->in stands at ---- */

enum { NO_SHAPE = ~0u };
/* Elements of the type that have an origin each: of a vector; 0: the value has one; NO_SHAPE: none. */
unsigned origin_shape(LLVMTypeRef);
LLVMValueRef origin_none(struct defining *, unsigned shape); /* that of a defined value */
bool origin_is_none(LLVMValueRef origin);
LLVMValueRef origin_of(struct defining *, LLVMValueRef); /* that is known by now; else none */
/* Of a vector of origins one: if any of them is undefined, or only if all are. */
LLVMValueRef origin_reduced(struct defining *, LLVMValueRef origins, bool all);
LLVMValueRef origin_splat(struct defining *, LLVMValueRef one, unsigned shape);
LLVMValueRef origin_computed(struct defining *,
                             LLVMValueRef); /* by what the instruction does with its operands */
LLVMValueRef origin_loaded(struct defining *, LLVMValueRef); /* from local memory, in d->sites */
LLVMValueRef origin_address(struct defining *, LLVMValueRef p, uint64_t offset); /* as an i64 */

/* Of an access; an exchange's value has whether it was expected besides. */
LLVMTypeRef origin_accessed_type(LLVMValueRef);

/* The private variable that p points into, if its contents are followed; else NULL. */
const struct variable *origin_variable(struct defining *, LLVMValueRef p);
LLVMValueRef origin_of_variable(struct defining *, const struct variable *, LLVMValueRef load);
void origin_store(struct defining *, const struct variable *, LLVMValueRef store);
/* A variable that is filled or copied to: its contents are taken to be defined. */
void origin_forget(struct defining *, LLVMValueRef call);

#endif
