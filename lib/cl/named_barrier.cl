/* named_barrier.cl: barriers of some sub-groups of a work-group (SPIR-V's NamedBarrier; OpenCL C has no functions for them).
 *
 * An object counts the sub-groups that have come to it since it was made. Each of them waits until all of its turn are
 * there, in a loop in which others run (kc/wg/yield.c). What the barrier orders, fences beside the counter do. */
#include "weir.h"

struct named_barrier {
    volatile atomic_ulong came;
    ulong count;
};

static bool is_elected(void) {
    return __weir_sub_first_uint(__weir_sub_lane()) == __weir_sub_lane();
}

/* All of the work-group call this together: nobody waits at what was there before. */
void __work_group_named_sub_group_barrier(local struct named_barrier *b, uint count) {
    __weir_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    if (get_local_linear_id() == 0) {
        b->count = count ? count : 1;
        __opencl_atomic_store(&b->came, 0, memory_order_relaxed, memory_scope_work_group);
    }
    __weir_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
}

void __sub_group_named_barrier(local struct named_barrier *b, uint flags, uint scope) {
    ulong place = 0, end;
    uint both = flags ? flags | CLK_LOCAL_MEM_FENCE : 0; /* the counter is local */
    __weir_sub_barrier(both, memory_scope_sub_group);
    if (both) {
        __weir_fence(both, memory_order_release, scope);
    }
    if (is_elected()) {
        place = __opencl_atomic_fetch_add(&b->came, 1, memory_order_relaxed, memory_scope_work_group);
    }
    place = __weir_sub_first_ulong(place);
    end = place - place % b->count + b->count;
    while (__weir_sub_first_ulong(
               __opencl_atomic_load(&b->came, memory_order_relaxed, memory_scope_work_group)) < end) {
    }
    if (both) {
        __weir_fence(both, memory_order_acquire, scope);
    }
    __weir_sub_barrier(both, memory_scope_sub_group);
}
