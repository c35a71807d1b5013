/* on_host.h: what OpenCL C's functions are where clang compiles random kernels for the host: calls of host_group.c, and code
 * in OpenCL C. Included before the kernel's own text. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define OVERLOADABLE __attribute__((overloadable))

#ifdef __cplusplus
#define HOST extern "C"
#else
#define HOST extern
#endif
HOST uint host_id(uint what, uint dimension);
HOST void host_barrier(void);
HOST void host_subgroup_barrier(void);
HOST uint host_gather(const void *value, uint size, void *all); /* all work-items' values; how many */
HOST uint host_subgroup_gather(const void *value, uint size, void *all); /* the same of a sub-group */
HOST uint host_subgroup(uint what);

#define get_local_id(d)            ((size_t)host_id(0, d))
#define get_local_size(d)          ((size_t)host_id(1, d))
#define get_group_id(d)            ((size_t)host_id(2, d))
#define get_num_groups(d)          ((size_t)host_id(3, d))
#define get_global_id(d)           ((size_t)host_id(4, d))
#define get_global_size(d)         ((size_t)host_id(5, d))
#define get_global_offset(d)       ((size_t)host_id(6, d))
#define get_enqueued_local_size(d) ((size_t)host_id(7, d))
#define get_local_linear_id()      ((size_t)host_id(8, 0))
#define get_global_linear_id()     ((size_t)host_id(9, 0))
#define get_sub_group_local_id()   host_subgroup(0)
#define get_sub_group_size()       host_subgroup(1)
#define get_sub_group_id()         host_subgroup(2)
#define barrier(...)               host_barrier()
#define work_group_barrier(...)    host_barrier()
#define sub_group_barrier(...)     host_subgroup_barrier()
#define intel_work_group_barrier_arrive(...)
#define intel_work_group_barrier_wait(...) host_barrier()
#define mem_fence(...)
#define read_mem_fence(...)
#define write_mem_fence(...)
#define atomic_work_item_fence(...)

#define IMAGE                  global uint4 * /* a row of 128 texels for each group */
#define TEXEL(x, y)            image[(y) * 128 + (x)]
#define SET_TEXEL(x, y, value) image[(y) * 128 + (x)] = kept_texel(value);

#define event_t                 int
#define wait_group_events(n, e) ((void)*(e), host_barrier())
#define async_work_group_copy(to, from, n, e)                                                                          \
    ({                                                                                                                 \
        if (!host_id(8, 0))                                                                                            \
            for (uint i_ = 0; i_ < (n); i_++)                                                                          \
                (to)[i_] = (from)[i_];                                                                                 \
        e;                                                                                                             \
    })
#define async_work_group_strided_copy_in(to, from, n, s, e)                                                            \
    ({                                                                                                                 \
        if (!host_id(8, 0))                                                                                            \
            for (uint i_ = 0; i_ < (n); i_++)                                                                          \
                (to)[i_] = (from)[i_ * (s)];                                                                           \
        e;                                                                                                             \
    })
#define async_work_group_strided_copy_out(to, from, n, s, e)                                                           \
    ({                                                                                                                 \
        if (!host_id(8, 0))                                                                                            \
            for (uint i_ = 0; i_ < (n); i_++)                                                                          \
                (to)[i_ * (s)] = (from)[i_];                                                                           \
        e;                                                                                                             \
    })

/* Fibers are never interrupted. */
#define atomic_add(p, x) ({ uint o_ = *(p); *(p) = o_ + (x); o_; })
#define atomic_or(p, x)  ({ uint o_ = *(p); *(p) = o_ | (x); o_; })
#define atomic_xor(p, x) ({ uint o_ = *(p); *(p) = o_ ^ (x); o_; })
#define atomic_max(p, x) ({ uint o_ = *(p), x_ = (x); *(p) = o_ > x_ ? o_ : x_; o_; })
#define FETCH_add        atomic_add
#define FETCH_or         atomic_or
#define FETCH_xor        atomic_xor
#define FETCH_max        atomic_max
#define atomic_inc(p)    atomic_add(p, 1u)
#define atomic_cmpxchg(p, c, x) ({ uint o_ = *(p); if (o_ == (c)) *(p) = (x); o_; })

#define work_group_reduce_add          host_reduce_add
#define work_group_reduce_min          host_reduce_min
#define work_group_reduce_max          host_reduce_max
#define work_group_scan_inclusive_add  host_scan_inclusive_add
#define work_group_scan_exclusive_add  host_scan_exclusive_add
#define work_group_scan_inclusive_max  host_scan_inclusive_max
#define work_group_scan_inclusive_min  host_scan_inclusive_min
#define work_group_broadcast_linear    host_broadcast
#define work_group_all                 host_all
#define work_group_any                 host_any

#define sub_group_reduce_add          host_sub_reduce_add
#define sub_group_reduce_min          host_sub_reduce_min
#define sub_group_reduce_max          host_sub_reduce_max
#define sub_group_scan_inclusive_add  host_sub_scan_inclusive_add
#define sub_group_scan_exclusive_add  host_sub_scan_exclusive_add
#define sub_group_scan_inclusive_max  host_sub_scan_inclusive_max
#define sub_group_scan_inclusive_min  host_sub_scan_inclusive_min
#define sub_group_broadcast           host_sub_broadcast

#define HOST_FOLD(T, name, start, upto, step)                                                                          \
    HOST_FOLD_OF(T, host_##name, host_gather, host_id(8, 0), start, upto, step)                                        \
    HOST_FOLD_OF(T, host_sub_##name, host_subgroup_gather, host_subgroup(0), start, upto, step)
#define HOST_FOLD_OF(T, name, gather, own, start, upto, step)                                                          \
    static T OVERLOADABLE name(T x) {                                                                                  \
        T all[256];                                                                                                    \
        uint n = gather(&x, sizeof x, all), l = own;                                                                   \
        T r = start;                                                                                                   \
        for (uint i = 0; i < n; i++)                                                                                   \
            if (upto)                                                                                                  \
                r = step;                                                                                              \
        return r;                                                                                                      \
    }
#define HOST_COLLECTIVES(T)                                                                                            \
    HOST_FOLD(T, reduce_add, 0, true, r + all[i])                                                                 \
    HOST_FOLD(T, reduce_min, all[0], true, r < all[i] ? r : all[i])                                               \
    HOST_FOLD(T, reduce_max, all[0], true, r > all[i] ? r : all[i])                                               \
    HOST_FOLD(T, scan_inclusive_add, 0, i <= l, r + all[i])                                                       \
    HOST_FOLD(T, scan_exclusive_add, 0, i < l, r + all[i])                                                        \
    HOST_FOLD(T, scan_inclusive_max, all[0], i <= l, r > all[i] ? r : all[i])                                     \
    HOST_FOLD(T, scan_inclusive_min, all[0], i <= l, r < all[i] ? r : all[i])                                     \
    static T OVERLOADABLE host_broadcast(T x, uint from) {                                                             \
        T all[256];                                                                                                    \
        host_gather(&x, sizeof x, all);                                                                                \
        return all[from];                                                                                              \
    }                                                                                                                  \
    static T OVERLOADABLE host_sub_broadcast(T x, uint from) {                                                         \
        T all[256];                                                                                                    \
        host_subgroup_gather(&x, sizeof x, all);                                                                       \
        return all[from];                                                                                              \
    }
HOST_COLLECTIVES(int)
HOST_COLLECTIVES(uint)
HOST_COLLECTIVES(long)
HOST_COLLECTIVES(ulong)
HOST_COLLECTIVES(float)
HOST_COLLECTIVES(double)
HOST_COLLECTIVES(half)
HOST_FOLD(int, all, 1, true, r && all[i])
HOST_FOLD(int, any, 0, true, r || all[i])

#define HOST_VECTOR(T, n)                                                                                              \
    static T##n OVERLOADABLE host_vload##n(size_t at, const T *p) {                                                    \
        T##n r;                                                                                                        \
        for (uint i = 0; i < n; i++)                                                                                   \
            ((T *)&r)[i] = p[at * n + i];                                                                              \
        return r;                                                                                                      \
    }                                                                                                                  \
    static void OVERLOADABLE host_vstore##n(T##n x, size_t at, T *p) {                                                 \
        for (uint i = 0; i < n; i++)                                                                                   \
            p[at * n + i] = ((T *)&x)[i];                                                                              \
    }                                                                                                                  \
    HOST_ELEMENTS(T##n)
#define HOST_ELEMENTS(T)                                                                                               \
    static T OVERLOADABLE host_min(T a, T b) { return a < b ? a : b; }                                                 \
    static T OVERLOADABLE host_max(T a, T b) { return a < b ? b : a; }
#define HOST_INTEGER(T, U, W, bits)                                                                                    \
    static T OVERLOADABLE host_mul_hi(T a, T b) { return (T)((W)a * b >> bits); }                                      \
    static T OVERLOADABLE host_mad_sat(T a, T b, T c) {                                                                \
        W x = (W)a * b + c, least = (T)-1 < 0 ? -((W)1 << (bits - 1)) : 0;                                             \
        W most = least + ((W)((U)-1));                                                                                 \
        return x < least ? (T)least : x > most ? (T)most : (T)x;                                                       \
    }                                                                                                                  \
    static U OVERLOADABLE host_abs(T a) { return a < 0 ? (U)-(U)a : (U)a; }                                            \
    static U OVERLOADABLE host_abs_diff(T a, T b) { return a < b ? (U)((U)b - (U)a) : (U)((U)a - (U)b); }              \
    static T OVERLOADABLE host_select(T a, T b, T c) { return c ? b : a; }                                             \
    HOST_EACH(T, U, 2) HOST_EACH(T, U, 3) HOST_EACH(T, U, 4) HOST_EACH(T, U, 8) HOST_EACH(T, U, 16)
#define HOST_EACH(T, U, n)                                                                                             \
    static T##n OVERLOADABLE host_mul_hi(T##n a, T##n b) { HOST_OF(T, T##n, n, host_mul_hi(a[i], b[i])) }              \
    static T##n OVERLOADABLE host_mad_sat(T##n a, T##n b, T##n c) {                                                    \
        HOST_OF(T, T##n, n, host_mad_sat(a[i], b[i], c[i]))                                                            \
    }                                                                                                                  \
    static U##n OVERLOADABLE host_abs(T##n a) { HOST_OF(U, U##n, n, host_abs(a[i])) }                                  \
    static U##n OVERLOADABLE host_abs_diff(T##n a, T##n b) { HOST_OF(U, U##n, n, host_abs_diff(a[i], b[i])) }          \
    static T##n OVERLOADABLE host_select(T##n a, T##n b, T##n c) { /* by the highest bit */                            \
        HOST_OF(T, T##n, n, (U)c[i] >> (sizeof(T) * 8 - 1) ? b[i] : a[i])                                              \
    }
#define HOST_OF(T, vector, n, value)                                                                                   \
    vector r;                                                                                                          \
    for (uint i = 0; i < n; i++)                                                                                       \
        ((T *)&r)[i] = value;                                                                                          \
    return r;
HOST_INTEGER(char, uchar, int, 8)
HOST_INTEGER(uchar, uchar, int, 8)
HOST_INTEGER(short, ushort, long, 16)
HOST_INTEGER(ushort, ushort, long, 16)
HOST_INTEGER(int, uint, __int128, 32)
HOST_INTEGER(uint, uint, __int128, 32)
HOST_INTEGER(long, ulong, __int128, 64)
HOST_INTEGER(ulong, ulong, __int128, 64)
#define mul_hi                 host_mul_hi
#define mad_hi(a, b, c)        ({ __typeof__(a) c_ = (a); (__typeof__(c_))(host_mul_hi(c_, b) + (c)); })
#define mad_sat                host_mad_sat
#define abs                    host_abs
#define abs_diff               host_abs_diff
#define select                 host_select
#define mad24(a, b, c)         ((a) * (b) + (c))
#define mul24(a, b)            ((a) * (b))
#define clamp(x, least, most)  ({ __typeof__(x) x_ = (x); min(max(x_, least), most); })
#define shuffle(x, m)                                                                                                  \
    ({                                                                                                                 \
        __typeof__(x) c_ = (x), r_;                                                                                    \
        __typeof__(m) m_ = (m);                                                                                        \
        for (uint i_ = 0; i_ < vec_step(c_); i_++)                                                                     \
            r_[i_] = c_[m_[i_] & (vec_step(c_) - 1)];                                                                  \
        r_;                                                                                                            \
    })
#define shuffle2(x, y, m)                                                                                              \
    ({                                                                                                                 \
        __typeof__(x) c_ = (x), d_ = (y), r_;                                                                          \
        __typeof__(m) m_ = (m);                                                                                        \
        for (uint i_ = 0; i_ < vec_step(c_); i_++) {                                                                   \
            uint k_ = m_[i_] & (2 * vec_step(c_) - 1);                                                                 \
            r_[i_] = k_ < vec_step(c_) ? c_[k_] : d_[k_ - vec_step(c_)];                                               \
        }                                                                                                              \
        r_;                                                                                                            \
    })
#define HOST_TYPE(T)                                                                                                   \
    HOST_ELEMENTS(T)                                                                                                   \
    HOST_VECTOR(T, 2) HOST_VECTOR(T, 3) HOST_VECTOR(T, 4) HOST_VECTOR(T, 8) HOST_VECTOR(T, 16)
HOST_TYPE(char)
HOST_TYPE(uchar)
HOST_TYPE(short)
HOST_TYPE(ushort)
HOST_TYPE(int)
HOST_TYPE(uint)
HOST_TYPE(long)
HOST_TYPE(ulong)
HOST_TYPE(float)
HOST_TYPE(double)
HOST_TYPE(half)
#define min      host_min
#define max      host_max
#define vload2   host_vload2
#define vload3   host_vload3
#define vload4   host_vload4
#define vload8   host_vload8
#define vload16  host_vload16
#define vstore2  host_vstore2
#define vstore3  host_vstore3
#define vstore4  host_vstore4
#define vstore8  host_vstore8
#define vstore16 host_vstore16
#define CONVERT(x, T, n) __builtin_convertvector(x, T##n)

#define add_sat   __builtin_elementwise_add_sat
#define sub_sat   __builtin_elementwise_sub_sat
#define popcount  __builtin_elementwise_popcount
#define floor     __builtin_elementwise_floor
#define ceil      __builtin_elementwise_ceil
#define trunc     __builtin_elementwise_trunc
#define rint      __builtin_elementwise_roundeven
#define fabs      __builtin_elementwise_abs
#define clz(x)    ({ __typeof__(x) c_ = (x); __builtin_elementwise_clzg(c_, __builtin_elementwise_popcount((__typeof__(c_))~(__typeof__(c_))0)); })
#define ctz(x)    ({ __typeof__(x) c_ = (x); __builtin_elementwise_ctzg(c_, __builtin_elementwise_popcount((__typeof__(c_))~(__typeof__(c_))0)); })
#define rotate(x, by) ({ __typeof__(x) c_ = (x); __builtin_elementwise_fshl(c_, c_, by); })
#define hadd(x, y) ({ __typeof__(x) c_ = (x), d_ = (y); (__typeof__(c_))((c_ >> (__typeof__(c_))1) + (d_ >> (__typeof__(c_))1) + (c_ & d_ & (__typeof__(c_))1)); })
#define rhadd(x, y) ({ __typeof__(x) c_ = (x), d_ = (y); (__typeof__(c_))((c_ >> (__typeof__(c_))1) + (d_ >> (__typeof__(c_))1) + ((c_ | d_) & (__typeof__(c_))1)); })
#define bitselect(x, y, m) ({ __typeof__(x) c_ = (x), d_ = (y), m_ = (m); (__typeof__(c_))((c_ & ~m_) | (d_ & m_)); })

#define HOST_ROUND_rte __builtin_elementwise_roundeven
#define HOST_ROUND_rtz __builtin_elementwise_trunc
#define HOST_ROUND_rtp __builtin_elementwise_ceil
#define HOST_ROUND_rtn __builtin_elementwise_floor
#define ROUND(x, mode, n)  __builtin_convertvector(HOST_ROUND_##mode(x), int##n)
#define ROUND1(x, mode, n) ((int)HOST_ROUND_##mode(x))

#define HOST_SATURATED(T, least, most)                                                                                 \
    static T OVERLOADABLE host_saturated_##T(long x) {                                                                 \
        return x < (long)(least) ? (T)(least) : x >= 0 && (ulong)x > (ulong)(most) ? (T)(most) : (T)x;                 \
    }                                                                                                                  \
    static T OVERLOADABLE host_saturated_##T(ulong x) { return x > (ulong)(most) ? (T)(most) : (T)x; }
HOST_SATURATED(char, CHAR_MIN, CHAR_MAX)
HOST_SATURATED(uchar, 0, UCHAR_MAX)
HOST_SATURATED(short, SHRT_MIN, SHRT_MAX)
HOST_SATURATED(ushort, 0, USHRT_MAX)
HOST_SATURATED(int, INT_MIN, INT_MAX)
HOST_SATURATED(uint, 0, UINT_MAX)
HOST_SATURATED(long, LONG_MIN, LONG_MAX)
HOST_SATURATED(ulong, 0, ULONG_MAX)
#define SATURATED1(x, T, n, from) host_saturated_##T((from)(x))
#define SATURATED(x, T, n, from)                                                                                       \
    ({                                                                                                                 \
        __typeof__(x) c_ = (x);                                                                                        \
        T##n r_;                                                                                                       \
        for (uint i_ = 0; i_ < n; i_++)                                                                                \
            ((T *)&r_)[i_] = host_saturated_##T((from)(c_[i_]));                                \
        r_;                                                                                                            \
    })

/* Half numbers in memory: the nearest one, or its neighbour where the mode wants it on the other side. */
static half host_step(half h, bool up) {
    ushort bits = as_ushort(h);
    return as_half((ushort)((bits & 0x8000) == (up ? 0 : 0x8000) ? bits + 1 : bits - 1));
}
#define HOST_HALVES(T)                                                                                                 \
    static half OVERLOADABLE host_half(T x) { return (half)x; }                                                        \
    static half OVERLOADABLE host_half_rte(T x) { return (half)x; }                                                    \
    static half OVERLOADABLE host_half_rtp(T x) { half h = (half)x; return (T)h < x ? host_step(h, true) : h; }        \
    static half OVERLOADABLE host_half_rtn(T x) { half h = (half)x; return (T)h > x ? host_step(h, false) : h; }       \
    static half OVERLOADABLE host_half_rtz(T x) { return x < 0 ? host_half_rtp(x) : host_half_rtn(x); }
HOST_HALVES(float)
HOST_HALVES(double)
#define HOST_HALF_STORE(mode)                                                                                          \
    HOST_HALF_STORES(mode, float, , 1, 1) HOST_HALF_STORES(mode, double, , 1, 1)                                       \
    HOST_HALF_VECTORS(mode, float) HOST_HALF_VECTORS(mode, double)
#define HOST_HALF_VECTORS(mode, T)                                                                                     \
    HOST_HALF_STORES(mode, T, 2, 2, 2) HOST_HALF_STORES(mode, T, 3, 3, 4) HOST_HALF_STORES(mode, T, 4, 4, 4)           \
    HOST_HALF_STORES(mode, T, 8, 8, 8) HOST_HALF_STORES(mode, T, 16, 16, 16)
#define HOST_HALF_STORES(mode, T, n, elements, apart)                                                                  \
    static void OVERLOADABLE host_vstore_half##n##mode(T##n x, size_t at, half *p) {                                   \
        for (uint i = 0; i < elements; i++)                                                                            \
            p[at * elements + i] = host_half##mode(((T *)&x)[i]);                                                      \
    }                                                                                                                  \
    static void OVERLOADABLE host_vstorea_half##n##mode(T##n x, size_t at, half *p) {                                  \
        for (uint i = 0; i < elements; i++)                                                                            \
            p[at * apart + i] = host_half##mode(((T *)&x)[i]);                                                         \
    }
HOST_HALF_STORE()
HOST_HALF_STORE(_rte)
HOST_HALF_STORE(_rtz)
HOST_HALF_STORE(_rtp)
HOST_HALF_STORE(_rtn)
#define HOST_HALF_LOAD(n, elements, apart)                                                                             \
    static float##n host_vload_half##n(size_t at, const half *p) {                                                     \
        float##n r;                                                                                                    \
        for (uint i = 0; i < elements; i++)                                                                            \
            ((float *)&r)[i] = (float)p[at * elements + i];                                                            \
        return r;                                                                                                      \
    }                                                                                                                  \
    static float##n host_vloada_half##n(size_t at, const half *p) {                                                    \
        float##n r;                                                                                                    \
        for (uint i = 0; i < elements; i++)                                                                            \
            ((float *)&r)[i] = (float)p[at * apart + i];                                                               \
        return r;                                                                                                      \
    }
HOST_HALF_LOAD(, 1, 1)
HOST_HALF_LOAD(2, 2, 2)
HOST_HALF_LOAD(3, 3, 4)
HOST_HALF_LOAD(4, 4, 4)
HOST_HALF_LOAD(8, 8, 8)
HOST_HALF_LOAD(16, 16, 16)
#define vload_half host_vload_half
#define vstore_half host_vstore_half
#define vstore_half_rte host_vstore_half_rte
#define vstore_half_rtz host_vstore_half_rtz
#define vstore_half_rtp host_vstore_half_rtp
#define vstore_half_rtn host_vstore_half_rtn
#define vload_half2 host_vload_half2
#define vstore_half2 host_vstore_half2
#define vstore_half2_rte host_vstore_half2_rte
#define vstore_half2_rtz host_vstore_half2_rtz
#define vstore_half2_rtp host_vstore_half2_rtp
#define vstore_half2_rtn host_vstore_half2_rtn
#define vloada_half2 host_vloada_half2
#define vstorea_half2 host_vstorea_half2
#define vstorea_half2_rte host_vstorea_half2_rte
#define vstorea_half2_rtz host_vstorea_half2_rtz
#define vstorea_half2_rtp host_vstorea_half2_rtp
#define vstorea_half2_rtn host_vstorea_half2_rtn
#define vload_half3 host_vload_half3
#define vstore_half3 host_vstore_half3
#define vstore_half3_rte host_vstore_half3_rte
#define vstore_half3_rtz host_vstore_half3_rtz
#define vstore_half3_rtp host_vstore_half3_rtp
#define vstore_half3_rtn host_vstore_half3_rtn
#define vloada_half3 host_vloada_half3
#define vstorea_half3 host_vstorea_half3
#define vstorea_half3_rte host_vstorea_half3_rte
#define vstorea_half3_rtz host_vstorea_half3_rtz
#define vstorea_half3_rtp host_vstorea_half3_rtp
#define vstorea_half3_rtn host_vstorea_half3_rtn
#define vload_half4 host_vload_half4
#define vstore_half4 host_vstore_half4
#define vstore_half4_rte host_vstore_half4_rte
#define vstore_half4_rtz host_vstore_half4_rtz
#define vstore_half4_rtp host_vstore_half4_rtp
#define vstore_half4_rtn host_vstore_half4_rtn
#define vloada_half4 host_vloada_half4
#define vstorea_half4 host_vstorea_half4
#define vstorea_half4_rte host_vstorea_half4_rte
#define vstorea_half4_rtz host_vstorea_half4_rtz
#define vstorea_half4_rtp host_vstorea_half4_rtp
#define vstorea_half4_rtn host_vstorea_half4_rtn
#define vload_half8 host_vload_half8
#define vstore_half8 host_vstore_half8
#define vstore_half8_rte host_vstore_half8_rte
#define vstore_half8_rtz host_vstore_half8_rtz
#define vstore_half8_rtp host_vstore_half8_rtp
#define vstore_half8_rtn host_vstore_half8_rtn
#define vloada_half8 host_vloada_half8
#define vstorea_half8 host_vstorea_half8
#define vstorea_half8_rte host_vstorea_half8_rte
#define vstorea_half8_rtz host_vstorea_half8_rtz
#define vstorea_half8_rtp host_vstorea_half8_rtp
#define vstorea_half8_rtn host_vstorea_half8_rtn
#define vload_half16 host_vload_half16
#define vstore_half16 host_vstore_half16
#define vstore_half16_rte host_vstore_half16_rte
#define vstore_half16_rtz host_vstore_half16_rtz
#define vstore_half16_rtp host_vstore_half16_rtp
#define vstore_half16_rtn host_vstore_half16_rtn
#define vloada_half16 host_vloada_half16
#define vstorea_half16 host_vstorea_half16
#define vstorea_half16_rte host_vstorea_half16_rte
#define vstorea_half16_rtz host_vstorea_half16_rtz
#define vstorea_half16_rtp host_vstorea_half16_rtp
#define vstorea_half16_rtn host_vstorea_half16_rtn
