/* emit.h: modules to objects. */
#ifndef WEIR_KC_EMIT_H
#define WEIR_KC_EMIT_H

#include "job.h"

/* ---- emit.c: objects ------------------------------------------------------------------------------------------------ */

LLVMTargetMachineRef emit_machine(struct job *); /* of request->cpu */
/* The same for the optimizer. Not position-independent: LLVM's relative lookup tables, which it would build then,
 * are wrong for constants outside address space 0. */
LLVMTargetMachineRef emit_optimizer(struct job *);
unsigned emit_vector_bits(struct job *);          /* of the processor's vector registers */
bool emit_has(struct job *, const char *feature); /* of the processor, e.g. "+avx2" */
void emit_warm(void); /* runs the optimizer and the code generator once; later calls do nothing */
void emit_retarget(struct job *, LLVMModuleRef); /* triple and data layout of the host */
/* Module to answer.output as request.emit says: EMIT_SO is a shared object. */
void emit_answer(struct job *, LLVMModuleRef);

/* ---- shared_object.c ---- */

/* Makes the object a shared object, the answer's output. False: it needs `ld`. */
bool shared_object_link(struct job *, const void *object, size_t n);

#endif
