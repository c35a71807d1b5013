/* emit.h: modules to objects. */
#ifndef WEIR_KC_EMIT_H
#define WEIR_KC_EMIT_H

#include "target.h"

/* ---- emit.c: objects ------------------------------------------------------------------------------------------------ */

void emit_warm(void);          /* runs the optimizer and the code generator once; later calls do nothing */
const char *emit_linker(void); /* the path of ld; NULL: there is none */
/* Module to answer.output as request.emit says: EMIT_SO is a shared object. */
void emit_answer(struct job *, LLVMModuleRef);

/* ---- shared_object.c ---- */

/* Makes the object a shared object, the answer's output. False: it needs `ld`. */
bool shared_object_link(struct job *, const void *object, size_t n);

/* ---- prologue.c ---- */

/* Of the section .debug_line: takes out the rows that say that a function's prologue ends where LLVM knows no line. */
void prologue_hide(unsigned char *lines, size_t size);

#endif
