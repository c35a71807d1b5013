/* subgroup.cl: sub-group functions (OpenCL C 6.15.18 and its extensions, cl_intel_subgroups and its forms), on the
 * intrinsics of include/abi.h. A sub-group is the work-items of a row from a multiple of the largest sub-group's size
 * on: as many, or what is left of the row. Where rows aren't multiples of that, a work-group may be one row (base.h:
 * meta_is_one_row). */
#include "weir.h"

#define LANE __weir_sub_lane()

/* ---- places ---- */

/* As base/meta.c has them: work-items of a row that packs go through, and sub-groups, of a work-group of this size. */
static uint row_of(size_t x, size_t y, size_t z) {
    return (uint)x * (__weir_one_row() ? (uint)(y * z) : 1);
}

static uint number_of(size_t x, size_t y, size_t z) {
    uint width = __weir_sub_width(), rows = __weir_one_row() ? 1 : (uint)(y * z);
    return (row_of(x, y, z) + width - 1) / width * rows;
}

OVERLOAD uint get_max_sub_group_size(void) {
    return __weir_sub_width();
}

OVERLOAD uint get_sub_group_local_id(void) {
    return LANE;
}

OVERLOAD uint get_sub_group_size(void) {
    uint row = row_of(__weir_local_size_0(), __weir_local_size_1(), __weir_local_size_2());
    uint left = row - __weir_sub_base(), width = __weir_sub_width();
    return left < width ? left : width;
}

OVERLOAD uint get_num_sub_groups(void) {
    return number_of(__weir_local_size_0(), __weir_local_size_1(), __weir_local_size_2());
}

OVERLOAD uint get_enqueued_num_sub_groups(void) {
    __constant struct weir_launch *l = __weir_launch();
    return number_of(l->local_size[0], l->local_size[1], l->local_size[2]);
}

OVERLOAD uint get_sub_group_id(void) {
    uint in_row = __weir_sub_base() / __weir_sub_width();
    uint row = (uint)(__weir_local_id_2() * __weir_local_size_1() + __weir_local_id_1());
    return __weir_one_row() ? in_row : row * number_of(__weir_local_size_0(), 1, 1) + in_row;
}

OVERLOAD void sub_group_barrier(cl_mem_fence_flags flags) {
    __weir_sub_barrier(flags, memory_scope_sub_group);
}

OVERLOAD void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
    __weir_sub_barrier(flags, scope);
}

/* ---- votes and ballots ---- */

static ulong bits_of(uint4 v) {
    return v.x | (ulong)v.y << 32;
}

static uint4 ballot_of(ulong bits) {
    return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0);
}

static ulong below(void) { /* this work-item */
    return (1ul << LANE) - 1;
}

static ulong up_to(void) {
    return (2ul << LANE) - 1;
}

static ulong valid(void) {
    return ~0ul >> (64 - __weir_sub_width());
}

OVERLOAD int sub_group_all(int predicate) {
    return __weir_sub_ballot(!predicate) == 0;
}

OVERLOAD int sub_group_any(int predicate) {
    return __weir_sub_ballot(predicate) != 0;
}

OVERLOAD int sub_group_non_uniform_all(int predicate) {
    return __weir_sub_ballot(!predicate) == 0;
}

OVERLOAD int sub_group_non_uniform_any(int predicate) {
    return __weir_sub_ballot(predicate) != 0;
}

OVERLOAD int sub_group_elect(void) {
    return __weir_sub_first_uint(LANE) == LANE;
}

OVERLOAD uint4 sub_group_ballot(int predicate) {
    return ballot_of(__weir_sub_ballot(predicate));
}

OVERLOAD int sub_group_inverse_ballot(uint4 value) {
    return bits_of(value) >> LANE & 1;
}

OVERLOAD int sub_group_ballot_bit_extract(uint4 value, uint index) {
    return bits_of(value) >> (index & 63) & 1;
}

OVERLOAD uint sub_group_ballot_bit_count(uint4 value) {
    return __builtin_popcountl(bits_of(value) & valid());
}

OVERLOAD uint sub_group_ballot_inclusive_scan(uint4 value) {
    return __builtin_popcountl(bits_of(value) & up_to());
}

OVERLOAD uint sub_group_ballot_exclusive_scan(uint4 value) {
    return __builtin_popcountl(bits_of(value) & below());
}

OVERLOAD uint sub_group_ballot_find_lsb(uint4 value) {
    ulong bits = bits_of(value) & valid();
    return bits ? __builtin_ctzl(bits) : 0;
}

OVERLOAD uint sub_group_ballot_find_msb(uint4 value) {
    ulong bits = bits_of(value) & valid();
    return bits ? 63 - __builtin_clzl(bits) : 0;
}

OVERLOAD uint4 get_sub_group_eq_mask(void) {
    return ballot_of(1ul << LANE);
}

OVERLOAD uint4 get_sub_group_ge_mask(void) {
    return ballot_of(valid() & ~below());
}

OVERLOAD uint4 get_sub_group_gt_mask(void) {
    return ballot_of(valid() & ~up_to());
}

OVERLOAD uint4 get_sub_group_le_mask(void) {
    return ballot_of(up_to());
}

OVERLOAD uint4 get_sub_group_lt_mask(void) {
    return ballot_of(below());
}

/* ---- predicates as bits ---- */

static ulong cluster_of(uint size) {
    return ~0ul >> (64 - size) << (LANE & ~(size - 1));
}

#define OF_and(p, who) ((__weir_sub_ballot(!(p)) & (who)) == 0)
#define OF_or(p, who)  ((__weir_sub_ballot(p) & (who)) != 0)
#define OF_xor(p, who) (__builtin_popcountl(__weir_sub_ballot(p) & (who)) & 1)
#define LOGICAL(name)                                                                                        \
    OVERLOAD int sub_group_non_uniform_reduce_logical_##name(int p) {                                        \
        return OF_##name(p, ~0ul);                                                                           \
    }                                                                                                        \
    OVERLOAD int sub_group_non_uniform_scan_inclusive_logical_##name(int p) {                                \
        return OF_##name(p, up_to());                                                                        \
    }                                                                                                        \
    OVERLOAD int sub_group_non_uniform_scan_exclusive_logical_##name(int p) {                                \
        return OF_##name(p, below());                                                                        \
    }                                                                                                        \
    OVERLOAD int sub_group_clustered_reduce_logical_##name(int p, uint size) {                               \
        return OF_##name(p, cluster_of(size));                                                               \
    }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)

/* ---- arithmetic ---- */

#define UNIFORM(T, prefix, name, op)                                                                         \
    OVERLOAD T prefix##_reduce_##name(T x) {                                                                 \
        return __weir_sub_reduce_##op##_##T(x);                                                              \
    }                                                                                                        \
    OVERLOAD T prefix##_scan_inclusive_##name(T x) {                                                         \
        return __weir_sub_scan_##op##_##T(x);                                                                \
    }                                                                                                        \
    OVERLOAD T prefix##_scan_exclusive_##name(T x) {                                                         \
        return __weir_sub_before_##op##_##T(x);                                                              \
    }
#define NON_UNIFORM(T, name, op)                                                                             \
    UNIFORM(T, sub_group_non_uniform, name, op)                                                              \
    OVERLOAD T sub_group_clustered_reduce_##name(T x, uint size) {                                           \
        return __weir_sub_cluster_##op##_##T(x, size);                                                       \
    }
#define ARITHMETIC(T, plus, times, least, most)                                                              \
    UNIFORM(T, sub_group, add, plus)                                                                         \
    UNIFORM(T, sub_group, min, least)                                                                        \
    UNIFORM(T, sub_group, max, most)                                                                         \
    NON_UNIFORM(T, add, plus)                                                                                \
    NON_UNIFORM(T, mul, times)                                                                               \
    NON_UNIFORM(T, min, least)                                                                               \
    NON_UNIFORM(T, max, most)
#define BITS(T)                                                                                              \
    NON_UNIFORM(T, and, and)                                                                                 \
    NON_UNIFORM(T, or, or)                                                                                   \
    NON_UNIFORM(T, xor, xor)
#define INTEGERS(T)                                                                                          \
    ARITHMETIC(T, add, mul, smin, smax)                                                                      \
    ARITHMETIC(u##T, add, mul, umin, umax)                                                                   \
    BITS(T)                                                                                                  \
    BITS(u##T)
INTEGERS(char)
INTEGERS(short)
INTEGERS(int)
INTEGERS(long)
ARITHMETIC(half, fadd, fmul, fmin, fmax)
ARITHMETIC(float, fadd, fmul, fmin, fmax)
ARITHMETIC(double, fadd, fmul, fmin, fmax)

/* ---- exchange ---- */

/* Vectors go component by component: of(T, i) for each. */
#define EACH2(of, T) of(T, 0), of(T, 1)
#define EACH3(of, T) EACH2(of, T), of(T, 2)
#define EACH4(of, T) EACH3(of, T), of(T, 3)
#define EACH8(of, T) EACH4(of, T), of(T, 4), of(T, 5), of(T, 6), of(T, 7)
#define EACH16(of, T)                                                                                        \
    EACH8(of, T), of(T, 8), of(T, 9), of(T, a), of(T, b), of(T, c), of(T, d), of(T, e), of(T, f)
#define VECTORS(of, T) of(T, 2) of(T, 3) of(T, 4) of(T, 8) of(T, 16)

#define COMPONENT(T, i) __weir_sub_shuffle_##T(x.s##i, lane)
#define BROADCAST_VECTOR(T, n)                                                                               \
    OVERLOAD T##n sub_group_broadcast(T##n x, uint lane) {                                                   \
        return (T##n)(EACH##n(COMPONENT, T));                                                                \
    }                                                                                                        \
    OVERLOAD T##n sub_group_non_uniform_broadcast(T##n x, uint lane) {                                       \
        return (T##n)(EACH##n(COMPONENT, T));                                                                \
    }
#define EXCHANGE(T)                                                                                          \
    OVERLOAD T sub_group_broadcast(T x, uint lane) {                                                         \
        return __weir_sub_shuffle_##T(x, lane);                                                              \
    }                                                                                                        \
    OVERLOAD T sub_group_non_uniform_broadcast(T x, uint lane) {                                             \
        return __weir_sub_shuffle_##T(x, lane);                                                              \
    }                                                                                                        \
    VECTORS(BROADCAST_VECTOR, T)                                                                             \
    OVERLOAD T sub_group_broadcast_first(T x) {                                                              \
        return __weir_sub_first_##T(x);                                                                      \
    }                                                                                                        \
    OVERLOAD int sub_group_non_uniform_all_equal(T x) {                                                      \
        return __weir_sub_ballot(!(x == __weir_sub_first_##T(x))) == 0;                                      \
    }                                                                                                        \
    OVERLOAD T sub_group_shuffle(T x, uint lane) {                                                           \
        return __weir_sub_shuffle_##T(x, lane);                                                              \
    }                                                                                                        \
    OVERLOAD T sub_group_shuffle_xor(T x, uint mask) {                                                       \
        return __weir_sub_shuffle_##T(x, LANE ^ mask);                                                       \
    }                                                                                                        \
    OVERLOAD T sub_group_shuffle_up(T x, uint delta) {                                                       \
        return __weir_sub_shuffle_##T(x, LANE - delta);                                                      \
    }                                                                                                        \
    OVERLOAD T sub_group_shuffle_down(T x, uint delta) {                                                     \
        return __weir_sub_shuffle_##T(x, LANE + delta);                                                      \
    }                                                                                                        \
    OVERLOAD T sub_group_rotate(T x, int delta) {                                                            \
        return __weir_sub_shuffle_##T(x, (LANE + (uint)delta) & (__weir_sub_width() - 1));                   \
    }                                                                                                        \
    OVERLOAD T sub_group_clustered_rotate(T x, int delta, uint size) {                                       \
        return __weir_sub_shuffle_##T(x, (LANE & ~(size - 1)) | ((LANE + (uint)delta) & (size - 1)));        \
    }
#define SIGNED_AND_UNSIGNED(of, T) of(T) of(u##T)
SIGNED_AND_UNSIGNED(EXCHANGE, char)
SIGNED_AND_UNSIGNED(EXCHANGE, short)
SIGNED_AND_UNSIGNED(EXCHANGE, int)
SIGNED_AND_UNSIGNED(EXCHANGE, long)
EXCHANGE(half)
EXCHANGE(float)
EXCHANGE(double)

/* ---- cl_intel_subgroups ---- */

/* Of the lane numbered `lane` of x and y one after the other. */
#define TWO(T)                                                                                               \
    static OVERLOAD T of_two(T x, T y, uint lane) {                                                          \
        uint width = __weir_sub_width();                                                                     \
        T low = __weir_sub_shuffle_##T(x, lane), high = __weir_sub_shuffle_##T(y, lane - width);             \
        return lane < width ? low : high;                                                                    \
    }
#define LOW(T, i) of_two(x.s##i, y.s##i, lane)
#define INTEL_SHUFFLES(TN, shuffled, of_both)                                                                \
    OVERLOAD TN intel_sub_group_shuffle(TN x, uint lane) {                                                   \
        return shuffled;                                                                                     \
    }                                                                                                        \
    OVERLOAD TN intel_sub_group_shuffle_xor(TN x, uint mask) {                                               \
        uint lane = LANE ^ mask;                                                                             \
        return shuffled;                                                                                     \
    }                                                                                                        \
    OVERLOAD TN intel_sub_group_shuffle_down(TN x, TN y, uint delta) {                                       \
        uint lane = LANE + delta;                                                                            \
        return of_both;                                                                                      \
    }                                                                                                        \
    OVERLOAD TN intel_sub_group_shuffle_up(TN x, TN y, uint delta) {                                         \
        uint lane = LANE + __weir_sub_width() - delta;                                                       \
        return of_both;                                                                                      \
    }
#define INTEL_SCALAR(T)    TWO(T) INTEL_SHUFFLES(T, __weir_sub_shuffle_##T(x, lane), of_two(x, y, lane))
#define INTEL_VECTOR(T, n) INTEL_SHUFFLES(T##n, (T##n)(EACH##n(COMPONENT, T)), (T##n)(EACH##n(LOW, T)))
#define INTEL(T)           INTEL_SCALAR(T) VECTORS(INTEL_VECTOR, T)
SIGNED_AND_UNSIGNED(INTEL, char)
SIGNED_AND_UNSIGNED(INTEL, short)
SIGNED_AND_UNSIGNED(INTEL, int)
SIGNED_AND_UNSIGNED(INTEL_SCALAR, long)
INTEL_SCALAR(half)
INTEL(float)
INTEL_SCALAR(double)

#define INTEL_BROADCAST_VECTOR(T, n)                                                                         \
    OVERLOAD T##n intel_sub_group_broadcast(T##n x, uint lane) {                                             \
        return (T##n)(EACH##n(COMPONENT, T));                                                                \
    }
#define INTEL_NARROW(T, plus, least, most)                                                                   \
    OVERLOAD T intel_sub_group_broadcast(T x, uint lane) {                                                   \
        return __weir_sub_shuffle_##T(x, lane);                                                              \
    }                                                                                                        \
    VECTORS(INTEL_BROADCAST_VECTOR, T)                                                                       \
    UNIFORM(T, intel_sub_group, add, plus)                                                                   \
    UNIFORM(T, intel_sub_group, min, least)                                                                  \
    UNIFORM(T, intel_sub_group, max, most)
INTEL_NARROW(char, add, smin, smax)
INTEL_NARROW(uchar, add, umin, umax)
INTEL_NARROW(short, add, smin, smax)
INTEL_NARROW(ushort, add, umin, umax)

/* Component i of a block lies i times the largest sub-group's size after the first. */
#define BLOCK_SCALAR(T, form)                                                                                \
    OVERLOAD T intel_sub_group_block_read##form(const global T *p) {                                         \
        return ((const global T *)__weir_sub_first_pointer(p))[__weir_sub_lane()];                           \
    }                                                                                                        \
    OVERLOAD void intel_sub_group_block_write##form(global T *p, T x) {                                      \
        ((global T *)__weir_sub_first_pointer(p))[__weir_sub_lane()] = x;                                    \
    }
#define READ_COMPONENT(T, i)  from[0x##i * width]
#define WRITE_COMPONENT(T, i) to[0x##i * width] = x.s##i
#define BLOCK_VECTOR(T, form, n)                                                                             \
    OVERLOAD T##n intel_sub_group_block_read##form##n(const global T *p) {                                   \
        uint width = __weir_sub_width();                                                                     \
        const global T *from = (const global T *)__weir_sub_first_pointer(p) + __weir_sub_lane();            \
        return (T##n)(EACH##n(READ_COMPONENT, T));                                                           \
    }                                                                                                        \
    OVERLOAD void intel_sub_group_block_write##form##n(global T *p, T##n x) {                                \
        uint width = __weir_sub_width();                                                                     \
        global T *to = (global T *)__weir_sub_first_pointer(p) + __weir_sub_lane();                          \
        EACH##n(WRITE_COMPONENT, T);                                                                         \
    }
#define BLOCKS(T, form)                                                                                      \
    BLOCK_SCALAR(T, form) BLOCK_VECTOR(T, form, 2) BLOCK_VECTOR(T, form, 4) BLOCK_VECTOR(T, form, 8)
BLOCKS(uint, )
BLOCKS(uint, _ui)
BLOCKS(ulong, _ul)
BLOCKS(ushort, _us)
BLOCK_VECTOR(ushort, _us, 16)
BLOCKS(uchar, _uc)
BLOCK_VECTOR(uchar, _uc, 16)
