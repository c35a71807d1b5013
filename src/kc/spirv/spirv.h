/* spirv.h: SPIR-V modules to the IR that clang would give for the same program. */
#ifndef WEIR_KC_SPIRV_H
#define WEIR_KC_SPIRV_H

#include "frontend.h"

/* The module's program, retargeted to the host; fails the job where it is not one. */
LLVMModuleRef spirv_read(struct job *, struct blob module, const struct options *);

/* The module as text (text.c). */
void spirv_text(struct blob module, struct buf *out);

#endif
