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
#define barrier(...)               host_barrier()
#define work_group_barrier(...)    host_barrier()
#define sub_group_barrier(...)     host_subgroup_barrier()
#define intel_work_group_barrier_arrive(...)
#define intel_work_group_barrier_wait(...) host_barrier()
#define mem_fence(...)
#define atomic_work_item_fence(...)

#define IMAGE                     global uint4 * /* a row of 128 texels for each group */
#define read_imageui(image, at)         (image)[(at).y * 128 + (at).x]
#define write_imageui(image, at, value) ((image)[(at).y * 128 + (at).x] = (value))

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

#define HOST_FOLD(T, name, start, upto, step)                                                                          \
    static T OVERLOADABLE name(T x) {                                                                                  \
        T all[256];                                                                                                    \
        uint n = host_gather(&x, sizeof x, all), l = host_id(8, 0);                                                    \
        T r = start;                                                                                                   \
        for (uint i = 0; i < n; i++)                                                                                   \
            if (upto)                                                                                                  \
                r = step;                                                                                              \
        return r;                                                                                                      \
    }
#define HOST_COLLECTIVES(T)                                                                                            \
    HOST_FOLD(T, host_reduce_add, 0, true, r + all[i])                                                                 \
    HOST_FOLD(T, host_reduce_min, all[0], true, r < all[i] ? r : all[i])                                               \
    HOST_FOLD(T, host_reduce_max, all[0], true, r > all[i] ? r : all[i])                                               \
    HOST_FOLD(T, host_scan_inclusive_add, 0, i <= l, r + all[i])                                                       \
    HOST_FOLD(T, host_scan_exclusive_add, 0, i < l, r + all[i])                                                        \
    HOST_FOLD(T, host_scan_inclusive_max, all[0], i <= l, r > all[i] ? r : all[i])                                     \
    HOST_FOLD(T, host_scan_inclusive_min, all[0], i <= l, r < all[i] ? r : all[i])                                     \
    static T OVERLOADABLE host_broadcast(T x, uint from) {                                                             \
        T all[256];                                                                                                    \
        host_gather(&x, sizeof x, all);                                                                                \
        return all[from];                                                                                              \
    }
HOST_COLLECTIVES(int)
HOST_COLLECTIVES(uint)
HOST_COLLECTIVES(long)
HOST_COLLECTIVES(ulong)
HOST_COLLECTIVES(float)
HOST_COLLECTIVES(double)
HOST_COLLECTIVES(half)
HOST_FOLD(int, host_all, 1, true, r && all[i])
HOST_FOLD(int, host_any, 0, true, r || all[i])

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
