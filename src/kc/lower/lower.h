/* lower.h: what lowering offers later stages: the intrinsics of abi.h, program-scope variables. */
#ifndef WEIR_KC_LOWER_H
#define WEIR_KC_LOWER_H

#include "kernel.h"

/* ---- intrinsics.c ---- */

/* intrinsics.c: a function that tells a work-item's place has no effects and may be computed anywhere; its value is below
 * `limit` (0: any). */
void intrinsic_query(struct kernel *, LLVMValueRef function, uint64_t limit);
/* intrinsics.c: whether the value asks for the work-item's id, and in which dimension (may be NULL). */
enum id { ID_NONE, ID_LOCAL, ID_GLOBAL };
enum id intrinsic_id(LLVMValueRef, unsigned *dim);
/* intrinsics.c: the memory model's fence for constant or computed flags, order and scope; one thread runs the group. */
void intrinsic_fence(LLVMBuilderRef, LLVMValueRef flags, LLVMValueRef order, LLVMValueRef scope);

/* ---- passes, in the order of pipeline.c's table; each file's head says what it needs and gives ---- */

void enter_pass(struct kernel *);               /* enter.c */
void inline_pass(struct kernel *);              /* inline.c */
void printf_pass(struct kernel *);              /* printf.c */
void globals_pass(struct kernel *);             /* globals.c */
void local_pass(struct kernel *);               /* globals.c */
void intrinsics_pass(struct kernel *);          /* intrinsics.c */
void divide_pass(struct kernel *);              /* divide.c */
void devolatilize_pass(struct kernel *);        /* devolatilize.c */
void unroll_pass(struct kernel *);              /* unroll.c */
void barrier_elimination_pass(struct kernel *); /* barrier_elimination.c */
void flatten_pass(struct kernel *);             /* flatten.c */
void expand_copies_pass(struct kernel *);       /* expand_copies.c */
void publish_pass(struct kernel *);             /* enter.c */

/* ---- globals.c: program-scope variables ----------------------------------------------------------------------------- */

/* Bytes of the block that holds all program-scope variables of the module (0: none). Variables are laid out
 * in module order; in address space 1, or 4 when their initializer refers to one of those. `offsets` gets
 * each variable's place; `align` and `offsets` may be NULL. */
uint64_t globals_layout(LLVMModuleRef, struct ptrmap *offsets, uint32_t *align);

#endif
