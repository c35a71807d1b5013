/* collective.cl: work-group collectives (OpenCL C 6.15.16) and asynchronous copies (6.15.11).
 *
 * Between two barriers the work-items of a group run in the order of their linear ids on one thread. So the first one
 * initializes an accumulator, each one updates it in turn, and behind a barrier all read it: a reduction is O(1) per
 * item, and a scan is what the accumulator held on the way. The last barrier frees it for the next collective. */
#include "weir.h"

#define BOTH (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

static void group_barrier(void) {
    __weir_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
}

static bool is_first(void) {
    return get_local_linear_id() == 0;
}

#define UPDATE(T, op, expression)                                                                             \
    OVERLOAD T __weir_lane_##op(local T *accumulator, T x, T identity, bool first) {                          \
        T old = first ? identity : *accumulator;                                                              \
        *accumulator = expression;                                                                            \
        return old;                                                                                           \
    }
#define COLLECTIVE(T, op, expression, identity)                                                               \
    UPDATE(T, op, expression)                                                                                 \
    OVERLOAD T work_group_reduce_##op(T x) {                                                                  \
        local T *accumulator = __weir_scratch();                                                              \
        __weir_lane_##op(accumulator, x, identity, is_first());                                               \
        group_barrier();                                                                                      \
        T result = *accumulator;                                                                              \
        group_barrier();                                                                                      \
        return result;                                                                                        \
    }                                                                                                         \
    OVERLOAD T work_group_scan_exclusive_##op(T x) {                                                          \
        local T *accumulator = __weir_scratch();                                                              \
        T result = __weir_lane_##op(accumulator, x, identity, is_first());                                    \
        group_barrier();                                                                                      \
        return result;                                                                                        \
    }                                                                                                         \
    OVERLOAD T work_group_scan_inclusive_##op(T x) {                                                          \
        local T *accumulator = __weir_scratch();                                                              \
        T old = __weir_lane_##op(accumulator, x, identity, is_first());                                       \
        group_barrier();                                                                                      \
        return expression;                                                                                    \
    }
#define BROADCAST(T)                                                                                          \
    static OVERLOAD T broadcast(T x, bool mine) {                                                             \
        local T *place = __weir_scratch();                                                                    \
        if (mine) {                                                                                           \
            *place = x;                                                                                       \
        }                                                                                                     \
        group_barrier();                                                                                      \
        T result = *place;                                                                                    \
        group_barrier();                                                                                      \
        return result;                                                                                        \
    }                                                                                                         \
    OVERLOAD T work_group_broadcast(T a, size_t x) {                                                          \
        return broadcast(a, get_local_id(0) == x);                                                            \
    }                                                                                                         \
    OVERLOAD T work_group_broadcast(T a, size_t x, size_t y) {                                                \
        return broadcast(a, get_local_id(0) == x && get_local_id(1) == y);                                    \
    }                                                                                                         \
    OVERLOAD T work_group_broadcast(T a, size_t x, size_t y, size_t z) {                                      \
        return broadcast(a, get_local_id(0) == x && get_local_id(1) == y && get_local_id(2) == z);            \
    }
#define COLLECTIVES(T, least, most)                                                                           \
    COLLECTIVE(T, add, old + x, 0)                                                                            \
    COLLECTIVE(T, min, x < old ? x : old, most)                                                               \
    COLLECTIVE(T, max, x > old ? x : old, least)                                                              \
    BROADCAST(T)

COLLECTIVES(int, INT_MIN, INT_MAX)
COLLECTIVES(uint, 0, UINT_MAX)
COLLECTIVES(long, LONG_MIN, LONG_MAX)
COLLECTIVES(ulong, 0, ULONG_MAX)
COLLECTIVES(float, -INFINITY, INFINITY)
COLLECTIVES(double, -INFINITY, INFINITY)

OVERLOAD int work_group_all(int predicate) {
    return work_group_reduce_min(predicate != 0 ? 1 : 0);
}

OVERLOAD int work_group_any(int predicate) {
    return work_group_reduce_max(predicate != 0 ? 1 : 0);
}

/* ---- asynchronous copies: the last work-item does all of it, when the others have come by ---- */

static bool is_last(void) {
    return get_local_linear_id() == __weir_local_size_0() * __weir_local_size_1() * __weir_local_size_2() - 1;
}

#define COPY(T, D, S)                                                                                         \
    OVERLOAD void __weir_lane_copy(D T *to, const S T *from, size_t n, size_t to_step, size_t from_step) {    \
        for (size_t i = 0; i < n; i++) {                                                                      \
            to[i * to_step] = from[i * from_step];                                                            \
        }                                                                                                     \
    }                                                                                                         \
    OVERLOAD event_t async_work_group_copy(D T *to, const S T *from, size_t n, event_t event) {               \
        if (is_last()) {                                                                                      \
            __weir_lane_copy(to, from, n, (size_t)1, (size_t)1);                                              \
        }                                                                                                     \
        return event;                                                                                         \
    }
#define COPIES(T)                                                                                             \
    COPY(T, local, global)                                                                                    \
    COPY(T, global, local)                                                                                    \
    OVERLOAD event_t async_work_group_strided_copy(local T *to, const global T *from, size_t n, size_t step,  \
                                                   event_t event) {                                           \
        if (is_last()) {                                                                                      \
            __weir_lane_copy(to, from, n, (size_t)1, step);                                                   \
        }                                                                                                     \
        return event;                                                                                         \
    }                                                                                                         \
    OVERLOAD event_t async_work_group_strided_copy(global T *to, const local T *from, size_t n, size_t step,  \
                                                   event_t event) {                                           \
        if (is_last()) {                                                                                      \
            __weir_lane_copy(to, from, n, step, (size_t)1);                                                   \
        }                                                                                                     \
        return event;                                                                                         \
    }                                                                                                         \
    OVERLOAD void prefetch(const global T *p, size_t n) {                                                     \
    }
#define WIDTHS(T) COPIES(T) COPIES(T##2) COPIES(T##3) COPIES(T##4) COPIES(T##8) COPIES(T##16)

WIDTHS(char)
WIDTHS(uchar)
WIDTHS(short)
WIDTHS(ushort)
WIDTHS(int)
WIDTHS(uint)
WIDTHS(long)
WIDTHS(ulong)
WIDTHS(float)
WIDTHS(double)

OVERLOAD void wait_group_events(int n, event_t *events) {
    __weir_barrier(BOTH, memory_scope_work_group);
}
