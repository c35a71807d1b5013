/* instrument.h: what the files that make a kernel a checked one share. */
#ifndef WEIR_KC_INSTRUMENT_H
#define WEIR_KC_INSTRUMENT_H

#include "kernel.h"

struct instrumenting {
    struct kernel *k;
    LLVMTargetDataRef layout;
    LLVMBuilderRef b;
    struct ptrmap places;      /* variable in local memory -> 1 + its place */
    bool has_fence;            /* then any atomic may be part of a synchronization */
    bool has_subgroup_barrier; /* then cells ask which sub-group's they are */
    struct graph *cfg;
    struct ptrmap index; /* block -> node */
    LLVMBasicBlockRef *blocks;
    struct ptrmap rounds; /* block of a barrier -> what tells its iteration, an i32 variable's list */
};

/* ---- instrument.c ---- */

/* The number of a new site for `at`, an i32; `object` as in struct weir_site. */
LLVMValueRef instrument_site(struct instrumenting *, LLVMValueRef at, uint32_t what, uint32_t bytes,
                             uint32_t object);
/* A call of a function of lib/cl/check.cl where the builder stands. */
LLVMValueRef instrument_call(struct instrumenting *, const char *name, LLVMValueRef *args, unsigned n);
LLVMValueRef instrument_value(struct instrumenting *, const char *name, LLVMTypeRef result,
                              LLVMValueRef *args, unsigned n);
/* Whether the memory is one that work-items may share, and the program's; struct weir_site.object of it. */
bool instrument_is_shared(struct instrumenting *, LLVMValueRef p);
uint32_t instrument_object(struct instrumenting *, LLVMValueRef p);
void instrument_before(struct instrumenting *, LLVMValueRef i); /* the builder goes there */

/* ---- instrument_loops.c ---- */

void instrument_loops(struct instrumenting *); /* before accesses have calls */

/* ---- async.c: asynchronous copies ---- */

void async_drop(struct kernel *);                            /* where nobody checks */
bool async_check(struct instrumenting *, LLVMValueRef call); /* false: it is another call; else it is gone */

/* ---- extents.c: accesses beyond private, program-scope and constant variables ---- */

void extents_insert(struct instrumenting *, const struct list *instructions);

/* ---- definedness.c: reads of local memory that nobody has written ---- */

void definedness_insert(struct instrumenting *);
bool instrument_is_library(struct kernel *, LLVMValueRef i); /* a built-in function's, not the program's */

#endif
