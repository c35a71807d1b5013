/* post.h: passes over the work-group function, which has no barriers any more. */
#ifndef WEIR_KC_POST_H
#define WEIR_KC_POST_H

#include "kernel.h"

/* ---- passes, in the order of pipeline.c's table ---- */

void local_atomics_pass(struct kernel *); /* local_atomics.c */
void idle_atomics_pass(struct kernel *);  /* idle_atomics.c: of those that are left */
void pack_tails_pass(struct kernel *);    /* pack_tails.c */
void fission_pass(struct kernel *);       /* fission.c */
void dot_pass(struct kernel *);           /* dot.c */
void number_parts_pass(struct kernel *);  /* number_parts.c */
void rolled_loops_pass(struct kernel *);  /* rolled_loops.c: after the local ones are no atomics any more */
void half_conversions_pass(struct kernel *); /* half_arithmetic.c: before the optimization of loops */
void masked_loads_pass(struct kernel *);     /* masked_loads.c */
void pointer_numbers_pass(struct kernel *);  /* pointer_numbers.c */
void unroll_tiles_pass(struct kernel *);     /* unroll_tiles.c: after masked_loads: LLVM's passes run in it */
void local_tiles_pass(struct kernel *);    /* local_tiles.c: of what unroll_tiles leaves at constant places */
void pack_loops_pass(struct kernel *);     /* pack_loops.c */
void scales_pass(struct kernel *);         /* scales.c */
void vectorizer_off_pass(struct kernel *); /* vectorizer_off.c */
void vectorizer_on_pass(struct kernel *);  /* vectorizer_off.c */
void extract_loops_pass(struct kernel *);  /* extract_loops.c */
bool extract_loops_made(LLVMValueRef function);
void half_arithmetic_pass(struct kernel *);   /* half_arithmetic.c */
void reciprocals_pass(struct kernel *);       /* reciprocals.c */
void reload_pass(struct kernel *);            /* reload.c */
void scalar_base_pass(struct kernel *);       /* scalar_base.c */
void woven_sums_pass(struct kernel *);        /* woven_sums.c: after reload, whose reads move along */
void wanted_lanes_pass(struct kernel *);      /* wanted_lanes.c */
void single_lane_store_pass(struct kernel *); /* single_lane_store.c */
void blended_store_pass(struct kernel *);     /* blended_store.c */
void lane_index_pass(struct kernel *);        /* lane_index.c */
void mask_parts_pass(struct kernel *);        /* mask_parts.c */
void masked_operands_pass(struct kernel *);   /* masked_operands.c */
void large_blocks_pass(struct kernel *);      /* large_blocks.c */

#endif
