/* kernel.h: struct kernel, one kernel on its way through the passes. */
#ifndef WEIR_KC_KERNEL_H
#define WEIR_KC_KERNEL_H

#include "ir.h"

/* ---- one kernel on its way through the passes ---- */

/* One kernel on its way through the passes. Analyses are written here; transforms say what they invalidate. */
struct kernel {
    struct job *job;
    LLVMModuleRef module;
    LLVMContextRef llvm;
    const struct kernel_meta *meta;
    LLVMValueRef entry;     /* the kernel as the program has it; NULL after `inline` */
    LLVMValueRef run;       /* the work-group function, a weir_group_fn, from `enter` on */
    uint32_t local_size[3]; /* specialized for, or 0 */
    uint32_t width;         /* work-items per pack */
    bool small_ids;         /* from `builtin` on: global ids are taken to be below 2^31 */
    bool optimize;          /* false: -cl-opt-disable */
    bool progress;          /* of sub-groups, independent of each other; false: -cl-no-subgroup-ifp */
    unsigned vector_bits;   /* of the processor's registers; with 512, masks are of a bit per lane */
    struct ptrmap globals;  /* program-scope variable -> offset in the block */
    uint64_t local_bytes, context_fixed, context_per_item, private_bytes; /* for struct weir_kernel */
    LLVMValueRef context_scope; /* alias.scope of accesses to the context */
    bool context_is_small;      /* a variable of the kernel's own: the runtime has nothing to provide */
    struct report *report;      /* NULL: none is asked for */
};
/* Of 512 bits there are 32, else 16. */
static inline unsigned kernel_vector_registers(const struct kernel *k) {
    return k->vector_bits == 512 ? 32 : 16;
}
/* Parameters of the work-group function, in order. */
enum run_param { RUN_LAUNCH, RUN_WORKER, RUN_GROUP };
#define LAUNCH_FIELD(field) ((unsigned)offsetof(struct weir_launch, field))
#define WORKER_FIELD(field) ((unsigned)offsetof(struct weir_worker, field))
/* Loads a field of struct weir_launch or weir_worker (`base`: RUN_LAUNCH or RUN_WORKER) that is invariant
 * while the work-group runs. */
LLVMValueRef kernel_field(struct kernel *, LLVMBuilderRef, enum run_param base, unsigned offset, LLVMTypeRef,
                          const char *name);

/* Work-items of this group in a dimension: a constant in a specialized variant. */
LLVMValueRef kernel_group_size(struct kernel *, LLVMBuilderRef, unsigned dim);

#endif
