/* collective.cl: work-group collectives (OpenCL C 6.15.16, 6.15.17) and asynchronous copies (6.15.11).
 *
 * Between two barriers the sub-groups of a group run in their order on one thread. Each joins its values to a total, the
 * first one to the operation's identity; a reduction is what the total holds after a barrier, a scan what it held before
 * this sub-group and then the sub-group's own scan. The last barrier frees the total for the next collective. */
#include "weir.h"

#define BOTH (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

static void group_barrier(void) {
    __weir_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
}

static int is_in_first(void) {
    return __weir_sub_base() == 0 && (__weir_one_row() || (__weir_local_id_1() == 0 && __weir_local_id_2() == 0));
}

/* `expression` joins x to y. */
#define COLLECTIVE(T, name, op, expression)                                                                  \
    static OVERLOAD T join_##name(T x, T y) {                                                                \
        return expression;                                                                                   \
    }                                                                                                        \
    OVERLOAD T work_group_reduce_##name(T x) {                                                               \
        local T *total = __weir_scratch();                                                                   \
        __weir_sub_total_##op##_##T(total, x, is_in_first());                                                \
        group_barrier();                                                                                     \
        T result = *total;                                                                                   \
        group_barrier();                                                                                     \
        return result;                                                                                       \
    }                                                                                                        \
    OVERLOAD T work_group_scan_exclusive_##name(T x) {                                                       \
        local T *total = __weir_scratch();                                                                   \
        T old = __weir_sub_total_##op##_##T(total, x, is_in_first());                                        \
        T result = join_##name(old, __weir_sub_before_##op##_##T(x));                                        \
        group_barrier();                                                                                     \
        return result;                                                                                       \
    }                                                                                                        \
    OVERLOAD T work_group_scan_inclusive_##name(T x) {                                                       \
        local T *total = __weir_scratch();                                                                   \
        T old = __weir_sub_total_##op##_##T(total, x, is_in_first());                                        \
        T result = join_##name(old, __weir_sub_scan_##op##_##T(x));                                          \
        group_barrier();                                                                                     \
        return result;                                                                                       \
    }
#define BROADCAST(T)                                                                                         \
    static OVERLOAD T broadcast(T x, bool mine) {                                                            \
        local T *place = __weir_scratch();                                                                   \
        if (mine) {                                                                                          \
            *place = x;                                                                                      \
        }                                                                                                    \
        group_barrier();                                                                                     \
        T result = *place;                                                                                   \
        group_barrier();                                                                                     \
        return result;                                                                                       \
    }                                                                                                        \
    OVERLOAD T work_group_broadcast(T a, size_t x) {                                                         \
        return broadcast(a, get_local_id(0) == x);                                                           \
    }                                                                                                        \
    OVERLOAD T work_group_broadcast(T a, size_t x, size_t y) {                                               \
        return broadcast(a, get_local_id(0) == x && get_local_id(1) == y);                                   \
    }                                                                                                        \
    OVERLOAD T work_group_broadcast(T a, size_t x, size_t y, size_t z) {                                     \
        return broadcast(a, get_local_id(0) == x && get_local_id(1) == y && get_local_id(2) == z);           \
    }
#define ARITHMETIC(T, plus, times, least, most)                                                              \
    COLLECTIVE(T, add, plus, x + y)                                                                          \
    COLLECTIVE(T, mul, times, x *y)                                                                          \
    COLLECTIVE(T, min, least, y < x ? y : x)                                                                 \
    COLLECTIVE(T, max, most, y > x ? y : x)                                                                  \
    BROADCAST(T)
#define BITS(T)                                                                                              \
    COLLECTIVE(T, and, and, x &y)                                                                            \
    COLLECTIVE(T, or, or, x | y)                                                                             \
    COLLECTIVE(T, xor, xor, x ^ y)
/* On predicates. */
#define LOGICAL(name)                                                                                        \
    OVERLOAD int work_group_reduce_logical_##name(int predicate) {                                           \
        return work_group_reduce_##name(predicate != 0) & 1;                                                 \
    }                                                                                                        \
    OVERLOAD int work_group_scan_inclusive_logical_##name(int predicate) {                                   \
        return work_group_scan_inclusive_##name(predicate != 0) & 1;                                         \
    }                                                                                                        \
    OVERLOAD int work_group_scan_exclusive_logical_##name(int predicate) {                                   \
        return work_group_scan_exclusive_##name(predicate != 0) & 1;                                         \
    }

ARITHMETIC(int, add, mul, smin, smax)
ARITHMETIC(uint, add, mul, umin, umax)
ARITHMETIC(long, add, mul, smin, smax)
ARITHMETIC(ulong, add, mul, umin, umax)
ARITHMETIC(half, fadd, fmul, fmin, fmax)
ARITHMETIC(float, fadd, fmul, fmin, fmax)
ARITHMETIC(double, fadd, fmul, fmin, fmax)
BITS(int)
BITS(uint)
BITS(long)
BITS(ulong)
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)

OVERLOAD int work_group_all(int predicate) {
    return work_group_reduce_logical_and(predicate);
}

OVERLOAD int work_group_any(int predicate) {
    return work_group_reduce_logical_or(predicate);
}

/* ---- asynchronous copies: the last work-item does all of it, when the others have come by ---- */

static bool is_last(void) {
    return get_local_linear_id() == __weir_local_size_0() * __weir_local_size_1() * __weir_local_size_2() - 1;
}

/* What the checker is told of a copy, in each work-item (kc/lower/async.c): planes of lines of bytes, and the steps from one
 * to the next. Gives its event. */
ulong __weir_async_to_local(local void *to, const global void *from, ulong bytes, ulong lines, ulong planes,
                            ulong to_line, ulong to_plane, ulong from_line, ulong from_plane, ulong event);
ulong __weir_async_to_global(global void *to, const local void *from, ulong bytes, ulong lines, ulong planes,
                             ulong to_line, ulong to_plane, ulong from_line, ulong from_plane, ulong event);
void __weir_async_wait(ulong event);

#define EVENT_BITS(event) (*(ulong *)&(event))

#define COPY(T, D, S)                                                                                        \
    OVERLOAD void __weir_lane_copy(D T *to, const S T *from, size_t n, size_t to_step, size_t from_step) {   \
        for (size_t i = 0; i < n; i++) {                                                                     \
            to[i * to_step] = from[i * from_step];                                                           \
        }                                                                                                    \
    }                                                                                                        \
    OVERLOAD event_t async_work_group_copy(D T *to, const S T *from, size_t n, event_t event) {              \
        EVENT_BITS(event) = __weir_async_to_##D(to, from, n * sizeof(T), 1, 1, 0, 0, 0, 0, EVENT_BITS(event));\
        if (is_last()) {                                                                                     \
            __weir_lane_copy(to, from, n, (size_t)1, (size_t)1);                                             \
        }                                                                                                    \
        return event;                                                                                        \
    }
#define COPIES(T)                                                                                            \
    COPY(T, local, global)                                                                                   \
    COPY(T, global, local)                                                                                   \
    OVERLOAD event_t async_work_group_strided_copy(local T *to, const global T *from, size_t n, size_t step, \
                                                   event_t event) {                                          \
        EVENT_BITS(event) = __weir_async_to_local(to, from, sizeof(T), n, 1, sizeof(T), 0,                   \
                                                  step * sizeof(T), 0, EVENT_BITS(event));                   \
        if (is_last()) {                                                                                     \
            __weir_lane_copy(to, from, n, (size_t)1, step);                                                  \
        }                                                                                                    \
        return event;                                                                                        \
    }                                                                                                        \
    OVERLOAD event_t async_work_group_strided_copy(global T *to, const local T *from, size_t n, size_t step, \
                                                   event_t event) {                                          \
        EVENT_BITS(event) = __weir_async_to_global(to, from, sizeof(T), n, 1, step * sizeof(T), 0,           \
                                                   sizeof(T), 0, EVENT_BITS(event));                         \
        if (is_last()) {                                                                                     \
            __weir_lane_copy(to, from, n, step, (size_t)1);                                                  \
        }                                                                                                    \
        return event;                                                                                        \
    }                                                                                                        \
    OVERLOAD void prefetch(const global T *p, size_t n) {                                                    \
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
WIDTHS(half)
WIDTHS(float)
WIDTHS(double)

/* Lines of planes (cl_khr_extended_async_copies): steps from one to the next in elements. */
#define COPY_PLANES(D, S)                                                                                    \
    OVERLOAD event_t async_work_group_copy_3D3D(                                                             \
        D void *dst, size_t dst_offset, const S void *src, size_t src_offset, size_t bytes, size_t elements, \
        size_t lines, size_t planes, size_t src_line, size_t src_plane, size_t dst_line, size_t dst_plane,   \
        event_t event) {                                                                                     \
        D char *to = (D char *)dst + dst_offset * bytes;                                                     \
        const S char *from = (const S char *)src + src_offset * bytes;                                       \
        EVENT_BITS(event) = __weir_async_to_##D(                                                             \
            to, from, elements * bytes, lines, planes, dst_line * bytes, dst_plane * bytes, src_line * bytes,\
            src_plane * bytes, EVENT_BITS(event));                                                           \
        for (size_t z = 0; is_last() && z < planes; z++) {                                                   \
            for (size_t y = 0; y < lines; y++) {                                                             \
                __weir_lane_copy(to + (z * dst_plane + y * dst_line) * bytes,                                \
                                 from + (z * src_plane + y * src_line) * bytes, elements * bytes, (size_t)1, \
                                 (size_t)1);                                                                 \
            }                                                                                                \
        }                                                                                                    \
        return event;                                                                                        \
    }                                                                                                        \
    OVERLOAD event_t async_work_group_copy_2D2D(D void *dst, size_t dst_offset, const S void *src,           \
                                                size_t src_offset, size_t bytes, size_t elements,            \
                                                size_t lines, size_t src_line, size_t dst_line,              \
                                                event_t event) {                                             \
        return async_work_group_copy_3D3D(dst, dst_offset, src, src_offset, bytes, elements, lines,          \
                                          (size_t)1, src_line, (size_t)0, dst_line, (size_t)0, event);       \
    }
COPY_PLANES(local, global)
COPY_PLANES(global, local)

/* The last work-item copies one after the other; the checker is told. */
OVERLOAD void async_work_group_copy_fence(cl_mem_fence_flags flags) {
    __weir_async_wait(WEIR_ASYNC_FENCE | flags);
}

OVERLOAD void wait_group_events(int n, event_t *events) {
    for (int i = 0; i < n; i++) {
        __weir_async_wait(EVENT_BITS(events[i]));
    }
    __weir_barrier(BOTH, memory_scope_work_group);
}
