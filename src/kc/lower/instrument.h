/* instrument.h: what the files that make a kernel a checked one share. */
#ifndef WEIR_KC_INSTRUMENT_H
#define WEIR_KC_INSTRUMENT_H

#include "kernel.h"

/* MARKS: a store has to say that memory is written; INSIDE: and it is inside its variable. */
enum quiet { QUIET_NOT, QUIET_WHOLLY, QUIET_MARKS, QUIET_INSIDE };
struct instrumenting {
    struct kernel *k;
    LLVMTargetDataRef layout;
    LLVMBuilderRef b;
    struct ptrmap places; /* variable in local memory -> 1 + its place */
    bool has_fence;       /* then relaxed atomics may be what they order */
    bool has_barrier_fence, has_flagged_barrier,
        has_narrow_barrier; /* barriers that are fences, too (instrument_sync.c) */
    bool has_new_atomics;   /* of OpenCL C 2.0 on */
    bool has_global_atomics, has_wide_barrier, has_marks;
    bool has_old_barriers;     /* which are fences, too */
    LLVMValueRef sync;         /* variable: order | scope << 8 of what comes next; NULL: nothing names them */
    bool has_subgroup_barrier; /* then cells ask which sub-group's they are */
    struct graph *cfg;
    struct ptrmap index; /* block -> node */
    LLVMBasicBlockRef *blocks;
    unsigned *place;       /* of a node in reverse post-order; beyond all others if nothing reaches it */
    unsigned *idom;        /* of a node (graph_idom) */
    struct ptrmap covered; /* reads of local memory that was written before (covered.c) -> 1 */
    struct ptrmap quiet;   /* accesses that nothing can race with (quiet.c) -> enum quiet */
    LLVMValueRef item,
        ids;              /* of a function of the work-group, whose barrier is next (mark_calls.c), or NULL */
    struct ptrmap halves; /* barrier that is half a one -> WEIR_HALF_* */
    struct ptrmap rounds; /* block of a barrier -> what tells its iteration, an i32 variable's list */
};

/* ---- instrument.c ---- */

/* The number of a new site for `at`, an i32; `object` as in struct weir_site. */
LLVMValueRef instrument_site(struct instrumenting *, LLVMValueRef at, uint32_t what, uint32_t bytes,
                             uint32_t object);
/* The same for an access by the pointer. */
LLVMValueRef instrument_access_site(struct instrumenting *, LLVMValueRef at, uint32_t what, uint32_t bytes,
                                    LLVMValueRef p);
/* A call of a function of lib/cl/check.cl where the builder stands. */
LLVMValueRef instrument_call(struct instrumenting *, const char *name, LLVMValueRef *args, unsigned n);
LLVMValueRef instrument_value(struct instrumenting *, const char *name, LLVMTypeRef result,
                              LLVMValueRef *args, unsigned n);
/* Whether the memory is one that work-items may share, and the program's; struct weir_site.object of it. */
bool instrument_is_shared(struct instrumenting *, LLVMValueRef p);
uint32_t instrument_object(struct instrumenting *, LLVMValueRef p);
uint64_t instrument_local_bytes(struct instrumenting *,
                                LLVMValueRef p); /* of a variable, or an argument; 0: unknown */
uint32_t instrument_alignment(struct instrumenting *, LLVMValueRef access); /* that it must have */
uint32_t instrument_image(struct instrumenting *, LLVMValueRef image);      /* the same of an image's value */
void instrument_before(struct instrumenting *, LLVMValueRef i);             /* the builder goes there */
enum { LARGEST_PIECE = 16 }; /* bytes that are checked at once: their values fit into two numbers */
uint64_t instrument_piece(uint64_t bytes); /* how many of so many are: a power of two; of none 0 */
/* Where it stands: an access of `what`, a WEIR_SITE_READ or WRITE and flags, in pieces; value NULL: it reads. */
void instrument_pieces(struct instrumenting *, uint32_t what, LLVMValueRef p, LLVMValueRef site,
                       uint64_t bytes, LLVMValueRef value);
/* The same of any number of bytes, an i64 or i32, without their values. */
void instrument_range(struct instrumenting *, LLVMValueRef p, LLVMValueRef site, uint32_t what,
                      LLVMValueRef bytes);

/* ---- instrument_copies.c ---- */

/* Before llvm.memcpy, llvm.memmove (copies) or llvm.memset, whose memory work-items may share. */
void instrument_copy(struct instrumenting *, LLVMValueRef call, bool copies);

/* ---- instrument_sync.c ---- */

void instrument_sync_look(struct instrumenting *, LLVMValueRef i); /* at all instructions */
void instrument_sync_begin(struct instrumenting *);                /* then: before calls are put in */
bool instrument_mark(struct instrumenting *, LLVMValueRef i);      /* true: it was a marker, and is gone */
/* An atomic or volatile access; the builder stands before it. effect: WEIR_ATOMIC_READS, WRITES. */
void instrument_atomic(struct instrumenting *, LLVMValueRef i, LLVMValueRef address, LLVMValueRef site,
                       uint32_t bytes, uint32_t effect, LLVMAtomicOrdering);
void instrument_fence(struct instrumenting *, LLVMValueRef fence);
void instrument_barrier_fences(struct instrumenting *, LLVMValueRef barrier, LLVMValueRef site);

/* ---- instrument_loops.c ---- */

void instrument_loops(struct instrumenting *); /* before accesses have calls */

/* ---- library_calls.c: what the built-in library tells the checker of ---- */

void library_calls_drop(struct kernel *);     /* where nobody checks */
bool library_calls_copies(LLVMValueRef call); /* asynchronously */
bool library_calls_check(struct instrumenting *,
                         LLVMValueRef call); /* false: it is another call; else it is gone */

/* ---- covered.c: reads of local memory that the group has surely written before ---- */

void covered_find(struct instrumenting *, const struct list *instructions);

/* ---- quiet.c: accesses of local memory that nothing can race with; after covered.c ---- */

void quiet_find(struct instrumenting *, const struct list *instructions);

/* ---- launch_form.c ---- */

/* 1 + the number of the form of an access by a pointer from the argument on; 0: it has none. */
uint32_t launch_form(struct instrumenting *, LLVMValueRef access, LLVMValueRef p, LLVMValueRef argument);

/* ---- extents.c: accesses beyond private, program-scope and constant variables ---- */

void extents_insert(struct instrumenting *, const struct list *instructions);

/* ---- short_circuit.c ---- */

/* Whether the program comes to the same whichever way a conditional branch goes, an i1 at the builder, right before it; NULL:
 * unknown. `origin` is asked for the i32 of a value, and first for each copy that is made. */
typedef LLVMValueRef origin_of_copy(void *user, LLVMValueRef);
LLVMValueRef short_circuit(struct instrumenting *, LLVMValueRef branch, origin_of_copy *, void *user);

/* ---- whole_words.c: elements of less than a word get a word each ---- */

void whole_words(struct kernel *);

/* ---- definedness.c: reads of local memory that nobody has written ---- */

void definedness_insert(struct instrumenting *);
bool instrument_is_library(struct kernel *, LLVMValueRef i); /* a built-in function's, not the program's */

#endif
