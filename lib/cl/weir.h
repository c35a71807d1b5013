/* weir.h: what the built-in library's files share: names, and the intrinsics that kc replaces (include/abi.h).
 * The library is compiled without clang's own declarations of the built-ins, so that it can define them. */
#ifndef WEIR_CL_H
#define WEIR_CL_H

#include "abi.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

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
int __weir_one_row(void) PURE;
__constant struct weir_launch *__weir_launch(void) PURE;
__constant struct weir_worker *__weir_worker(void) PURE;
void __weir_barrier(uint flags, uint scope);
void __weir_barrier_arrive(uint flags, uint scope);
void __weir_barrier_wait(uint flags, uint scope);
void __weir_fence(uint flags, uint order, uint scope);
local void *__weir_scratch(void) PURE; /* 16 bytes of the work-group, one place for all collectives */

/* Sums of the products of four bytes, of which u's are unsigned: vectors have instructions for them. */
uint __weir_dot_uu(uint a, uint b) PURE;
uint __weir_dot_ss(uint a, uint b) PURE;
uint __weir_dot_us(uint a, uint b) PURE;
uint __weir_dot_su(uint a, uint b) PURE;

/* A positive number's parts, where the processor has instructions for them (post/number_parts.c): x is a mantissa from 3/4 on, below
 * 3/2, times a power of two. exponent is the largest integer whose power of two isn't above |x|, -infinity for 0; subnormal
 * numbers are no exception. Infinity's mantissa is 1, that of negative numbers none. */
float __weir_part_mantissa_float(float x) PURE;
float __weir_part_exponent_float(float x) PURE;
double __weir_part_mantissa_double(double x) PURE;
double __weir_part_exponent_double(double x) PURE;

/* Functions named __weir_lane_* are called once per work-item, in the order of their linear ids, at any width. Those that
 * are rare are overloadable: kc branches over a call unless its name begins with __weir_, as an intrinsic's does. */

/* Sub-groups: see include/abi.h. */
uint __weir_sub_width(void) PURE;
uint __weir_sub_base(void) PURE;
uint __weir_sub_lane(void) PURE;
void __weir_sub_barrier(uint flags, uint scope);
ulong __weir_sub_ballot(int predicate) PURE;
const global void *__weir_sub_first_pointer(const global void *p) PURE;

#define SUB_OP(T, op)                                                                                        \
    T __weir_sub_reduce_##op##_##T(T x) PURE;                                                                \
    T __weir_sub_scan_##op##_##T(T x) PURE;                                                                  \
    T __weir_sub_before_##op##_##T(T x) PURE;                                                                \
    T __weir_sub_cluster_##op##_##T(T x, uint size) PURE;                                                    \
    T __weir_sub_total_##op##_##T(local T *total, T x, int is_first);
#define SUB_TYPE(T, plus, times, least, most)                                                                \
    T __weir_sub_shuffle_##T(T x, uint lane) PURE;                                                           \
    T __weir_sub_first_##T(T x) PURE;                                                                        \
    SUB_OP(T, plus) SUB_OP(T, times) SUB_OP(T, least) SUB_OP(T, most)
#define SUB_BITS(T) SUB_OP(T, and) SUB_OP(T, or) SUB_OP(T, xor)
#define SUB_INTEGERS(T)                                                                                      \
    SUB_TYPE(T, add, mul, smin, smax) SUB_TYPE(u##T, add, mul, umin, umax) SUB_BITS(T) SUB_BITS(u##T)
SUB_INTEGERS(char)
SUB_INTEGERS(short)
SUB_INTEGERS(int)
SUB_INTEGERS(long)
SUB_TYPE(half, fadd, fmul, fmin, fmax)
SUB_TYPE(float, fadd, fmul, fmin, fmax)
SUB_TYPE(double, fadd, fmul, fmin, fmax)

/* f for vectors of T, from f for T. */
#define HALVES(T, U, f)                                                                                      \
    OVERLOAD T##2 f(T##2 x, U##2 y) {                                                                        \
        return (T##2)(f(x.x, y.x), f(x.y, y.y));                                                             \
    }                                                                                                        \
    OVERLOAD T##3 f(T##3 x, U##3 y) {                                                                        \
        return (T##3)(f(x.x, y.x), f(x.y, y.y), f(x.z, y.z));                                                \
    }                                                                                                        \
    OVERLOAD T##4 f(T##4 x, U##4 y) {                                                                        \
        return (T##4)(f(x.lo, y.lo), f(x.hi, y.hi));                                                         \
    }                                                                                                        \
    OVERLOAD T##8 f(T##8 x, U##8 y) {                                                                        \
        return (T##8)(f(x.lo, y.lo), f(x.hi, y.hi));                                                         \
    }                                                                                                        \
    OVERLOAD T##16 f(T##16 x, U##16 y) {                                                                     \
        return (T##16)(f(x.lo, y.lo), f(x.hi, y.hi));                                                        \
    }

OVERLOAD size_t get_local_id(uint d);
OVERLOAD size_t get_local_size(uint d);
OVERLOAD size_t get_global_id(uint d);
OVERLOAD size_t get_global_size(uint d);
OVERLOAD size_t get_global_offset(uint d);
OVERLOAD size_t get_local_linear_id(void);

#endif
