/* target.h: what code is generated for. */
#ifndef WEIR_KC_TARGET_H
#define WEIR_KC_TARGET_H

#include "job.h"

/* What passes go by. */
struct target {
    unsigned vector_bits;      /* of a vector register */
    unsigned vector_registers; /* how many there are */
    bool
        has_mask_registers; /* a mask has a bit per lane and registers of its own; else masks are vectors of whole lanes */
    bool has_halves;      /* of vector registers, which operations take one after the other */
    bool has_scatter;     /* stores to addresses of a vector */
    bool has_slow_gather; /* no faster than a load for each lane, and it waits for the stores before it */
    bool converts_half;   /* between half numbers and floats */
    bool computes_half;   /* with half numbers */
    bool estimates_reciprocals; /* 1 / x and 1 / sqrt(x) of floats to 14 bits */
    bool scales;                /* numbers by powers of two */
    bool sums_products;         /* of four bytes (VNNI) */
    double gather, scatter;     /* cycles for each lane */
    double vector_op;           /* cycles of an operation on one vector register, among others */
    double gather_latency;      /* cycles until a pack has what its lanes read anywhere */
    double vector_latency;      /* cycles until a sum of integers in vectors can be used */
};
/* Of request->cpu, or the host. Lives as long as the job. */
const struct target *target_find(struct job *);
/* Work-items whose 32-bit values fill a vector register. */
static inline uint32_t target_lanes(const struct target *t) {
    return t->vector_bits / 32;
}

/* Vector registers that this many bits take. */
static inline uint64_t target_registers(const struct target *t, uint64_t bits) {
    return (bits + t->vector_bits - 1) / t->vector_bits;
}

/* Those of a value of this type in so many lanes: of an OpenCL vector for each of its elements. */
uint64_t target_registers_of(const struct target *, LLVMTargetDataRef, LLVMTypeRef, uint32_t lanes);

LLVMTargetMachineRef target_machine(struct job *); /* for objects */
/* The same for the optimizer. Not position-independent: LLVM's relative lookup tables, which it would build then,
 * are wrong for constants outside address space 0. */
LLVMTargetMachineRef target_optimizer(struct job *);
void target_retarget(struct job *,
                     LLVMModuleRef); /* triple and data layout; clang's attributes for its own target go */

#endif
