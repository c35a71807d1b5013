/* named_barrier.cl: barriers of some sub-groups of a work-group (SPIR-V's NamedBarrier; OpenCL C has no functions for them).
 *
 * An object counts the sub-groups that have come to it since it was made. Each of them waits until all of its turn are
 * there, in a loop in which others run (kc/wg/yield.c). What the barrier orders, fences beside the counters do. Turns count in two
 * places by turns: who reads its turn's count late would else acquire what others have released as they came to the next one,
 * too, and the checker would take that for an order. To the one after that nobody comes before it. */
#include "weir.h"

struct named_barrier {
    volatile atomic_ulong came; /* how many have, and from bit COUNT on how many sub-groups meet */
    volatile atomic_uint met[2];
};

enum { COUNT = 48 };

static bool is_elected(void) {
    return __weir_sub_first_uint(__weir_sub_lane()) == __weir_sub_lane();
}

/* All of the work-group call this together: nobody waits at what was there before. */
void __work_group_named_sub_group_barrier(local struct named_barrier *b, uint count) {
    __weir_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    if (get_local_linear_id() == 0) {
        ulong most = count > 0xffff ? 0xffff
                     : count        ? count
                                    : 1; /* a group doesn't have as many: they wait for ever */
        __opencl_atomic_store(&b->came, most << COUNT, memory_order_relaxed, memory_scope_work_group);
        __opencl_atomic_store(&b->met[0], 0, memory_order_relaxed, memory_scope_work_group);
        __opencl_atomic_store(&b->met[1], 0, memory_order_relaxed, memory_scope_work_group);
    }
    __weir_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
}

void __sub_group_named_barrier(local struct named_barrier *b, uint flags, uint scope) {
    uint both = flags ? flags | CLK_LOCAL_MEM_FENCE : 0; /* the counters are local */
    ulong came = 0;
    __weir_sub_barrier(both, memory_scope_sub_group);
    if (is_elected()) {
        came = __opencl_atomic_fetch_add(&b->came, 1, memory_order_relaxed, memory_scope_work_group);
    }
    came = __weir_sub_first_ulong(came);
    ulong count = came >> COUNT, turn = (came & ((1ul << COUNT) - 1)) / count;
    uint end = (uint)((turn / 2 + 1) * count);
    if (both) {
        __weir_fence(both, memory_order_release, scope);
    }
    if (is_elected()) {
        __opencl_atomic_fetch_add(&b->met[turn % 2], 1, memory_order_relaxed, memory_scope_work_group);
    }
    while ((int)(__weir_sub_first_uint(
                     __opencl_atomic_load(&b->met[turn % 2], memory_order_relaxed, memory_scope_work_group)) -
                 end) < 0) {
    }
    if (both) {
        __weir_fence(both, memory_order_acquire, scope);
    }
    __weir_sub_barrier(both, memory_scope_sub_group);
}
