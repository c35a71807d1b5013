/* clock.cl: the processor's clock (OpenCL C 6.15.20, cl_khr_kernel_clock). It is one for all scopes: processors count at one
 * rate, and together. Each work-item reads it when it comes by. */
#include "weir.h"

#define CLOCK(scope)                                                                                         \
    OVERLOAD ulong clock_read_##scope(void) {                                                                \
        return __builtin_readcyclecounter();                                                                 \
    }                                                                                                        \
    OVERLOAD uint2 clock_read_hilo_##scope(void) {                                                           \
        return __builtin_astype((ulong)__builtin_readcyclecounter(), uint2);                                 \
    }
CLOCK(device)
CLOCK(work_group)
CLOCK(sub_group)
