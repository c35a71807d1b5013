/* sync.cl: barriers, whole and split (cl_intel_split_work_group_barrier), and fences (OpenCL C 6.15.8, 6.15.12.5), and what address space a pointer is of (6.15.10). The
 * legacy fences are acquire-release, acquire and release at work-group scope; flags 0 still is a barrier. */
#include "weir.h"

OVERLOAD void barrier(cl_mem_fence_flags flags) {
    __weir_barrier(flags, memory_scope_work_group);
}

OVERLOAD void work_group_barrier(cl_mem_fence_flags flags) {
    __weir_barrier(flags, memory_scope_work_group);
}

OVERLOAD void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
    __weir_barrier(flags, scope);
}

#define HALF(way)                                                                                            \
    OVERLOAD void intel_work_group_barrier_##way(cl_mem_fence_flags flags) {                                 \
        __weir_barrier_##way(flags, memory_scope_work_group);                                                \
    }                                                                                                        \
    OVERLOAD void intel_work_group_barrier_##way(cl_mem_fence_flags flags, memory_scope scope) {             \
        __weir_barrier_##way(flags, scope);                                                                  \
    }
HALF(arrive)
HALF(wait)

OVERLOAD void mem_fence(cl_mem_fence_flags flags) {
    __weir_fence(flags, memory_order_acq_rel, memory_scope_work_group);
}

OVERLOAD void read_mem_fence(cl_mem_fence_flags flags) {
    __weir_fence(flags, memory_order_acquire, memory_scope_work_group);
}

OVERLOAD void write_mem_fence(cl_mem_fence_flags flags) {
    __weir_fence(flags, memory_order_release, memory_scope_work_group);
}

OVERLOAD void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
    __weir_fence(flags, order, scope);
}

/* All memory is one address space of the host: a pointer is told by the ranges of the worker that runs it. */
static bool is_local(ulong p) {
    __constant struct weir_worker *w = __weir_worker();
    return p - w->local_memory < w->local_bytes;
}

static bool is_private(ulong p) {
    __constant struct weir_worker *w = __weir_worker();
    return p - (ulong)w->context < w->context_bytes || p - w->stack_low < w->stack_high - w->stack_low;
}

global void *__to_global(void *p) {
    return is_local((ulong)p) || is_private((ulong)p) ? (global void *)0 : (global void *)(ulong)p;
}

local void *__to_local(void *p) {
    return is_local((ulong)p) ? (local void *)(ulong)p : (local void *)0;
}

private void *__to_private(void *p) {
    return is_private((ulong)p) ? (private void *)(ulong)p : (private void *)0;
}

OVERLOAD cl_mem_fence_flags get_fence(void *p) {
    return is_local((ulong)p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}

OVERLOAD cl_mem_fence_flags get_fence(const void *p) {
    return is_local((ulong)p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
