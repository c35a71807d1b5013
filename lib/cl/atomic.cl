/* atomic.cl: C11 atomics (OpenCL C 6.15.12) on generic pointers, and the legacy ones (6.15.12.8). Orders are
 * arguments: constant ones fold when a call is inlined. Every scope is taken as the widest, which costs x86 nothing. */
#include "weir.h"

#define ALL memory_scope_all_svm_devices
#define SEQ memory_order_seq_cst

#define MOVES(T, AT)                                                                                          \
    OVERLOAD void atomic_store_explicit(volatile AT *p, T v, memory_order o, memory_scope s) {                \
        __opencl_atomic_store(p, v, o, ALL);                                                                  \
    }                                                                                                         \
    OVERLOAD void atomic_store_explicit(volatile AT *p, T v, memory_order o) {                                \
        __opencl_atomic_store(p, v, o, ALL);                                                                  \
    }                                                                                                         \
    OVERLOAD void atomic_store(volatile AT *p, T v) {                                                         \
        __opencl_atomic_store(p, v, SEQ, ALL);                                                                \
    }                                                                                                         \
    OVERLOAD T atomic_load_explicit(volatile AT *p, memory_order o, memory_scope s) {                         \
        return __opencl_atomic_load(p, o, ALL);                                                               \
    }                                                                                                         \
    OVERLOAD T atomic_load_explicit(volatile AT *p, memory_order o) {                                         \
        return __opencl_atomic_load(p, o, ALL);                                                               \
    }                                                                                                         \
    OVERLOAD T atomic_load(volatile AT *p) {                                                                  \
        return __opencl_atomic_load(p, SEQ, ALL);                                                             \
    }                                                                                                         \
    OVERLOAD T atomic_exchange_explicit(volatile AT *p, T v, memory_order o, memory_scope s) {                \
        return __opencl_atomic_exchange(p, v, o, ALL);                                                        \
    }                                                                                                         \
    OVERLOAD T atomic_exchange_explicit(volatile AT *p, T v, memory_order o) {                                \
        return __opencl_atomic_exchange(p, v, o, ALL);                                                        \
    }                                                                                                         \
    OVERLOAD T atomic_exchange(volatile AT *p, T v) {                                                         \
        return __opencl_atomic_exchange(p, v, SEQ, ALL);                                                      \
    }

#define BASIC(T, AT)                                                                                          \
    OVERLOAD void atomic_init(volatile AT *p, T v) {                                                          \
        __opencl_atomic_init((AT *)p, v);                                                                     \
    }                                                                                                         \
    MOVES(T, AT)                                                                                              \
    COMPARE(T, AT, strong)                                                                                    \
    COMPARE(T, AT, weak)

#define COMPARE(T, AT, kind)                                                                                  \
    OVERLOAD bool atomic_compare_exchange_##kind##_explicit(volatile AT *p, T *e, T d, memory_order o,        \
                                                            memory_order f, memory_scope s) {                 \
        return __opencl_atomic_compare_exchange_strong(p, e, d, SEQ, SEQ, ALL);                               \
    }                                                                                                         \
    OVERLOAD bool atomic_compare_exchange_##kind##_explicit(volatile AT *p, T *e, T d, memory_order o,        \
                                                            memory_order f) {                                 \
        return __opencl_atomic_compare_exchange_strong(p, e, d, SEQ, SEQ, ALL);                               \
    }                                                                                                         \
    OVERLOAD bool atomic_compare_exchange_##kind(volatile AT *p, T *e, T d) {                                 \
        return __opencl_atomic_compare_exchange_strong(p, e, d, SEQ, SEQ, ALL);                               \
    }

#define FETCH(T, AT, M, op)                                                                                   \
    OVERLOAD T atomic_fetch_##op##_explicit(volatile AT *p, M v, memory_order o, memory_scope s) {            \
        return __opencl_atomic_fetch_##op(p, v, o, ALL);                                                      \
    }                                                                                                         \
    OVERLOAD T atomic_fetch_##op##_explicit(volatile AT *p, M v, memory_order o) {                            \
        return __opencl_atomic_fetch_##op(p, v, o, ALL);                                                      \
    }                                                                                                         \
    OVERLOAD T atomic_fetch_##op(volatile AT *p, M v) {                                                       \
        return __opencl_atomic_fetch_##op(p, v, SEQ, ALL);                                                    \
    }

#define FETCHES(T, AT, M)                                                                                     \
    FETCH(T, AT, M, add)                                                                                      \
    FETCH(T, AT, M, sub)                                                                                      \
    FETCH(T, AT, M, or)                                                                                       \
    FETCH(T, AT, M, xor)                                                                                      \
    FETCH(T, AT, M, and)                                                                                      \
    FETCH(T, AT, M, min)                                                                                      \
    FETCH(T, AT, M, max)

BASIC(int, atomic_int)
BASIC(uint, atomic_uint)
BASIC(long, atomic_long)
BASIC(ulong, atomic_ulong)
BASIC(float, atomic_float)
BASIC(double, atomic_double)
FETCHES(int, atomic_int, int)
FETCHES(uint, atomic_uint, uint)
FETCHES(long, atomic_long, long)
FETCHES(ulong, atomic_ulong, ulong)
FETCHES(ulong, atomic_ulong, long) /* uintptr_t by ptrdiff_t */

/* On floating-point numbers (cl_ext_float_atomics) in each address space: clang declares them all. */
#define REALS(T, AT)                                                                                          \
    FETCH(T, AT, T, add)                                                                                      \
    FETCH(T, AT, T, sub)                                                                                      \
    FETCH(T, AT, T, min)                                                                                      \
    FETCH(T, AT, T, max)
#define REALS_IN(S)                                                                                           \
    MOVES(half, S atomic_half)                                                                                \
    REALS(half, S atomic_half)                                                                                \
    REALS(float, S atomic_float)                                                                              \
    REALS(double, S atomic_double)
/* clang 22 takes the number to be stored for an atomic_half, too: the names of these functions end otherwise. */
#define STORES(S, name, code)                                                                                 \
    void store_##name(volatile S atomic_half *p, half v) __asm("_Z12atomic_store" code "VU7_AtomicDhS_");     \
    void store_##name(volatile S atomic_half *p, half v) {                                                    \
        __opencl_atomic_store(p, v, SEQ, ALL);                                                                \
    }                                                                                                         \
    void store_order_##name(volatile S atomic_half *p, half v, memory_order o) __asm(                         \
        "_Z21atomic_store_explicit" code "VU7_AtomicDhS_12memory_order");                                     \
    void store_order_##name(volatile S atomic_half *p, half v, memory_order o) {                              \
        __opencl_atomic_store(p, v, o, ALL);                                                                  \
    }                                                                                                         \
    void store_scope_##name(volatile S atomic_half *p, half v, memory_order o, memory_scope s) __asm(         \
        "_Z21atomic_store_explicit" code "VU7_AtomicDhS_12memory_order12memory_scope");                       \
    void store_scope_##name(volatile S atomic_half *p, half v, memory_order o, memory_scope s) {              \
        __opencl_atomic_store(p, v, o, ALL);                                                                  \
    }
STORES(, generic, "P")
STORES(global, global, "PU3AS1")
STORES(local, local, "PU3AS3")

REALS_IN()
REALS_IN(global)
REALS_IN(local)

OVERLOAD bool atomic_flag_test_and_set_explicit(volatile atomic_flag *p, memory_order o, memory_scope s) {
    return __opencl_atomic_exchange(p, 1, o, ALL);
}
OVERLOAD bool atomic_flag_test_and_set_explicit(volatile atomic_flag *p, memory_order o) {
    return __opencl_atomic_exchange(p, 1, o, ALL);
}
OVERLOAD bool atomic_flag_test_and_set(volatile atomic_flag *p) {
    return __opencl_atomic_exchange(p, 1, SEQ, ALL);
}
OVERLOAD void atomic_flag_clear_explicit(volatile atomic_flag *p, memory_order o, memory_scope s) {
    __opencl_atomic_store(p, 0, o, ALL);
}
OVERLOAD void atomic_flag_clear_explicit(volatile atomic_flag *p, memory_order o) {
    __opencl_atomic_store(p, 0, o, ALL);
}
OVERLOAD void atomic_flag_clear(volatile atomic_flag *p) {
    __opencl_atomic_store(p, 0, SEQ, ALL);
}

/* ---- legacy: relaxed, on global and local memory ---- */

#define LEGACY_RMW(S, T, AT, prefix, op, fetch, value)                                                        \
    OVERLOAD T prefix##op(volatile S T *p, T v) {                                                             \
        return __opencl_atomic_##fetch((volatile S AT *)p, value, memory_order_relaxed, ALL);                 \
    }
#define LEGACY_ONE(S, T, AT, prefix, op, fetch)                                                               \
    OVERLOAD T prefix##op(volatile S T *p) {                                                                  \
        return __opencl_atomic_##fetch((volatile S AT *)p, (T)1, memory_order_relaxed, ALL);                  \
    }
#define LEGACY_INTEGER(S, T, AT, prefix)                                                                      \
    LEGACY_RMW(S, T, AT, prefix, add, fetch_add, v)                                                           \
    LEGACY_RMW(S, T, AT, prefix, sub, fetch_sub, v)                                                           \
    LEGACY_RMW(S, T, AT, prefix, xchg, exchange, v)                                                           \
    LEGACY_RMW(S, T, AT, prefix, min, fetch_min, v)                                                           \
    LEGACY_RMW(S, T, AT, prefix, max, fetch_max, v)                                                           \
    LEGACY_RMW(S, T, AT, prefix, and, fetch_and, v)                                                           \
    LEGACY_RMW(S, T, AT, prefix, or, fetch_or, v)                                                             \
    LEGACY_RMW(S, T, AT, prefix, xor, fetch_xor, v)                                                           \
    LEGACY_ONE(S, T, AT, prefix, inc, fetch_add)                                                              \
    LEGACY_ONE(S, T, AT, prefix, dec, fetch_sub)                                                              \
    OVERLOAD T prefix##cmpxchg(volatile S T *p, T expected, T desired) {                                      \
        __opencl_atomic_compare_exchange_strong((volatile S AT *)p, &expected, desired, memory_order_relaxed, \
                                                memory_order_relaxed, ALL);                                   \
        return expected;                                                                                      \
    }
#define LEGACY(S)                                                                                             \
    LEGACY_INTEGER(S, int, atomic_int, atomic_)                                                               \
    LEGACY_INTEGER(S, uint, atomic_uint, atomic_)                                                             \
    LEGACY_INTEGER(S, int, atomic_int, atom_)                                                                 \
    LEGACY_INTEGER(S, uint, atomic_uint, atom_)                                                               \
    LEGACY_INTEGER(S, long, atomic_long, atom_)                                                               \
    LEGACY_INTEGER(S, ulong, atomic_ulong, atom_)                                                             \
    LEGACY_RMW(S, float, atomic_float, atomic_, xchg, exchange, v)
LEGACY(global)
LEGACY(local)
