// global: 504
// needs: cl_khr_subgroup_extended_types
// local: 3 64 250
// arg: int out[504]
// expect: out = 1
#define CHECK(T, LEAST, MOST)                                                                      \
    {                                                                                              \
        T x = (T)(g % 23), sum = 0, least = MOST, most = LEAST;                                    \
        for (int i = first; i < first + n; i++) {                                                  \
            T y = (T)(i % 23);                                                                     \
            sum += y;                                                                              \
            least = y < least ? y : least;                                                         \
            most = y > most ? y : most;                                                            \
        }                                                                                          \
        ok = ok && sub_group_reduce_add(x) == sum && sub_group_reduce_min(x) == least;             \
        ok = ok && sub_group_reduce_max(x) == most && sub_group_broadcast(x, 0) == (T)(first % 23); \
        ok = ok && sub_group_scan_exclusive_min(x) >= least;                                       \
        ok = ok && sub_group_scan_inclusive_max(x) <= most;                                        \
        if (lane == 0)                                                                             \
            ok = ok && before_min_##T == MOST && before_max_##T == LEAST && before_add_##T == 0;   \
        if (lane == n - 1)                                                                         \
            ok = ok && up_to_add_##T == sum && up_to_min_##T == least;                             \
    }
#define SCANS(T)                                                                                   \
    T before_min_##T = sub_group_scan_exclusive_min((T)(g % 23));                                  \
    T before_max_##T = sub_group_scan_exclusive_max((T)(g % 23));                                  \
    T before_add_##T = sub_group_scan_exclusive_add((T)(g % 23));                                  \
    T up_to_add_##T = sub_group_scan_inclusive_add((T)(g % 23));                                   \
    T up_to_min_##T = sub_group_scan_inclusive_min((T)(g % 23));
#define BOTH(T, LEAST, MOST) SCANS(T) CHECK(T, LEAST, MOST)
kernel void k(global int *out) {
    int g = get_global_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size(), first = g - lane;
    bool ok = true;
    BOTH(short, SHRT_MIN, SHRT_MAX)
    BOTH(ushort, 0, USHRT_MAX)
    out[g] = ok;
}
