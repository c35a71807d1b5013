/* weir.h: what the built-in library's files share: names, and the intrinsics that kc replaces (include/abi.h).
 * The library is compiled without clang's own declarations of the built-ins, so that it can define them. */
#ifndef WEIR_CL_H
#define WEIR_CL_H

#include "abi.h"

#define OVERLOAD __attribute__((overloadable))
#define PURE     __attribute__((const))

size_t __weir_local_id_0(void) PURE;
size_t __weir_local_id_1(void) PURE;
size_t __weir_local_id_2(void) PURE;
size_t __weir_global_id_0(void) PURE;
size_t __weir_global_id_1(void) PURE;
size_t __weir_global_id_2(void) PURE;
size_t __weir_group_id_0(void) PURE;
size_t __weir_group_id_1(void) PURE;
size_t __weir_group_id_2(void) PURE;
size_t __weir_local_size_0(void) PURE;
size_t __weir_local_size_1(void) PURE;
size_t __weir_local_size_2(void) PURE;
__constant struct weir_launch *__weir_launch(void) PURE;
__constant struct weir_worker *__weir_worker(void) PURE;
void __weir_barrier(uint flags, uint scope);
void __weir_fence(uint flags, uint order, uint scope);
local void *__weir_scratch(void) PURE; /* 16 bytes of the work-group, one place for all collectives */

/* Functions named __weir_lane_* are called once per work-item, in the order of their linear ids, at any width. */

OVERLOAD size_t get_local_id(uint d);
OVERLOAD size_t get_local_size(uint d);
OVERLOAD size_t get_global_id(uint d);
OVERLOAD size_t get_global_size(uint d);
OVERLOAD size_t get_global_offset(uint d);
OVERLOAD size_t get_local_linear_id(void);

#endif
