/* pipe.cl: pipes (OpenCL C 6.15.20 and their forms for sub-groups) on struct weir_pipe of include/abi.h, which says how
 * reservations and packets find each other. clang calls these with a packet's size and alignment last. A reservation
 * is its first position's low half, and above it the number of packets, never 0; that gives the position back as long
 * as it isn't committed, for until then the pipe can't go on by more than its size. */
#include "weir.h"

#define ALL memory_scope_all_svm_devices

typedef global struct weir_pipe *pipe_p;
enum side { WRITING, READING };

static volatile global atomic_ulong *turn_of(pipe_p p, ulong at) {
    return (volatile global atomic_ulong *)p->turns + at % p->max_packets;
}

/* What the turn of the position's slot is while `side` may have it. */
static ulong turn_for(pipe_p p, ulong at, enum side side) {
    return at / p->max_packets * 2 + side;
}

static volatile global atomic_ulong *counter_of(pipe_p p, enum side side) {
    return (volatile global atomic_ulong *)(side == WRITING ? &p->written : &p->read);
}

static bool all_ready(pipe_p p, ulong at, uint n, enum side side) {
    bool ready = true;
    for (uint i = 0; i < n && ready; i++) {
        ready =
            __opencl_atomic_load(turn_of(p, at + i), memory_order_acquire, ALL) == turn_for(p, at + i, side);
    }
    return ready;
}

/* Takes n positions; false: there are not so many. */
static bool take(pipe_p p, uint n, enum side side, ulong *first) {
    volatile global atomic_ulong *counter = counter_of(p, side);
    ulong at = __opencl_atomic_load(counter, memory_order_relaxed, ALL);
    if (n == 0 || n > p->max_packets) {
        return false;
    }
    for (;;) {
        if (!all_ready(p, at, n, side)) {
            ulong now = __opencl_atomic_load(counter, memory_order_relaxed, ALL);
            if (now == at) {
                return false;
            }
            at = now; /* others were faster: what was looked at is theirs */
        } else if (__opencl_atomic_compare_exchange_strong(counter, &at, at + n, memory_order_relaxed,
                                                           memory_order_relaxed, ALL)) {
            *first = at;
            return true;
        }
    }
}

static void give(pipe_p p, ulong at, uint n, enum side side) {
    for (uint i = 0; i < n; i++) {
        __opencl_atomic_store(turn_of(p, at + i), turn_for(p, at + i, side) + 1, memory_order_release, ALL);
    }
}

/* Copies one packet between the program's variable and the pipe. */
static void move(pipe_p p, ulong at, uchar *data, uint size, enum side side) {
    global uchar *packet = (global uchar *)p->packets + at % p->max_packets * p->packet_bytes;
    size = size < p->packet_bytes ? size : p->packet_bytes;
    for (uint i = 0; i < size; i++) {
        if (side == WRITING) {
            packet[i] = data[i];
        } else {
            data[i] = packet[i];
        }
    }
}

static uint count_of(ulong reservation) {
    return reservation >> 32;
}

static ulong position_of(pipe_p p, ulong reservation, enum side side) {
    ulong now = __opencl_atomic_load(counter_of(p, side), memory_order_relaxed, ALL);
    return now - (uint)((uint)now - (uint)reservation);
}

/* ---- calls of one work-item ---- */

OVERLOAD __attribute__((noinline)) int __weir_lane_pipe_move(pipe_p p, uchar *data, uint size,
                                                             enum side side) {
    ulong at;
    if (!take(p, 1, side, &at)) {
        return -1;
    }
    move(p, at, data, size, side);
    give(p, at, 1, side);
    return 0;
}

OVERLOAD __attribute__((noinline)) int __weir_lane_pipe_move(pipe_p p, ulong reservation, uint index,
                                                             uchar *data, uint size, enum side side) {
    if (index >= count_of(reservation)) {
        return -1;
    }
    move(p, position_of(p, reservation, side) + index, data, size, side);
    return 0;
}

OVERLOAD __attribute__((noinline)) ulong __weir_lane_pipe_reserve(pipe_p p, uint n, enum side side) {
    ulong at;
    return take(p, n, side, &at) ? (ulong)n << 32 | (uint)at : 0;
}

OVERLOAD __attribute__((noinline)) void __weir_lane_pipe_commit(pipe_p p, ulong reservation, enum side side) {
    give(p, position_of(p, reservation, side), count_of(reservation), side);
}

/* ---- calls of a work-group or sub-group: one work-item does it for all ---- */

static bool is_first(void) {
    return get_local_linear_id() == 0;
}

static ulong group_reserve(pipe_p p, uint n, enum side side) {
    local ulong *place = __weir_scratch();
    if (is_first()) {
        *place = __weir_lane_pipe_reserve(p, n, side);
    }
    __weir_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    ulong reservation = *place;
    __weir_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    return reservation;
}

static void group_commit(pipe_p p, ulong reservation, enum side side) {
    __weir_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group); /* all have read or written */
    if (is_first()) {
        __weir_lane_pipe_commit(p, reservation, side);
    }
}

static bool is_elected(void) {
    return __weir_sub_first_uint(__weir_sub_lane()) == __weir_sub_lane();
}

static ulong sub_reserve(pipe_p p, uint n, enum side side) {
    ulong reservation = 0;
    if (is_elected()) {
        reservation = __weir_lane_pipe_reserve(p, n, side);
    }
    return __weir_sub_first_ulong(reservation);
}

static void sub_commit(pipe_p p, ulong reservation, enum side side) {
    __weir_sub_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group);
    if (is_elected()) {
        __weir_lane_pipe_commit(p, reservation, side);
    }
}

/* ---- what clang calls ---- */

#define SIDE(name, side)                                                                                     \
    int __##name##_pipe_2(pipe_p p, void *data, uint size, uint align) {                                     \
        return __weir_lane_pipe_move(p, (uchar *)data, size, side);                                          \
    }                                                                                                        \
    int __##name##_pipe_4(pipe_p p, void *id, uint index, void *data, uint size, uint align) {               \
        return __weir_lane_pipe_move(p, (ulong)id, index, (uchar *)data, size, side);                        \
    }                                                                                                        \
    void *__reserve_##name##_pipe(pipe_p p, uint n, uint size, uint align) {                                 \
        return (void *)__weir_lane_pipe_reserve(p, n, side);                                                 \
    }                                                                                                        \
    void __commit_##name##_pipe(pipe_p p, void *id, uint size, uint align) {                                 \
        __weir_lane_pipe_commit(p, (ulong)id, side);                                                         \
    }                                                                                                        \
    void *__work_group_reserve_##name##_pipe(pipe_p p, uint n, uint size, uint align) {                      \
        return (void *)group_reserve(p, n, side);                                                            \
    }                                                                                                        \
    void __work_group_commit_##name##_pipe(pipe_p p, void *id, uint size, uint align) {                      \
        group_commit(p, (ulong)id, side);                                                                    \
    }                                                                                                        \
    void *__sub_group_reserve_##name##_pipe(pipe_p p, uint n, uint size, uint align) {                       \
        return (void *)sub_reserve(p, n, side);                                                              \
    }                                                                                                        \
    void __sub_group_commit_##name##_pipe(pipe_p p, void *id, uint size, uint align) {                       \
        sub_commit(p, (ulong)id, side);                                                                      \
    }
SIDE(write, WRITING)
SIDE(read, READING)

static uint packets_in(pipe_p p) {
    ulong read = __opencl_atomic_load(counter_of(p, READING), memory_order_relaxed, ALL);
    ulong written = __opencl_atomic_load(counter_of(p, WRITING), memory_order_relaxed, ALL);
    return written - read < p->max_packets ? written - read : p->max_packets;
}

#define QUERIES(access)                                                                                      \
    uint __get_pipe_num_packets_##access(pipe_p p, uint size, uint align) {                                  \
        return packets_in(p);                                                                                \
    }                                                                                                        \
    uint __get_pipe_max_packets_##access(pipe_p p, uint size, uint align) {                                  \
        return p->max_packets;                                                                               \
    }
QUERIES(ro)
QUERIES(wo)

/* clang has no pointer of a reserve_id_t in OpenCL C, only in what it makes of it. */
bool is_valid(void *id) __asm("_Z19is_valid_reserve_id13ocl_reserveid");
bool is_valid(void *id) {
    return id != 0;
}
