// global: 512
// local: 1 2 4 16 64 256
// needs: cl_khr_subgroup_clustered_reduce
// arg: int out[512]
// expect: out = 1
#define CLUSTER(size)                                                                                 \
    if (most >= size) {                                                                               \
        int first = g - lane % size, sum = 0, least = INT_MAX, both = -1, any = 0, odd = 0;           \
        float product = 1;                                                                            \
        bool every = true, some = false;                                                              \
        for (int i = first; i < first + min(size, n); i++) {                                          \
            sum += i * i;                                                                             \
            least = min(least, i ^ 5);                                                                \
            both &= i | 0x70;                                                                         \
            any |= i;                                                                                 \
            odd ^= i * 3;                                                                             \
            product *= i % 2 + 1;                                                                     \
            every = every && i % 5;                                                                   \
            some = some || i % 7 == 0;                                                                \
        }                                                                                             \
        ok = ok && sub_group_clustered_reduce_add(g * g, size) == sum;                                \
        ok = ok && sub_group_clustered_reduce_min((long)(g ^ 5), size) == least;                      \
        ok = ok && sub_group_clustered_reduce_and(g | 0x70, size) == both;                            \
        ok = ok && sub_group_clustered_reduce_or((ushort)g, size) == any;                             \
        ok = ok && sub_group_clustered_reduce_xor((uint)g * 3, size) == odd;                          \
        ok = ok && sub_group_clustered_reduce_mul((float)(g % 2 + 1), size) == product;               \
        ok = ok && (sub_group_clustered_reduce_logical_and(g % 5, size) != 0) == every;               \
        ok = ok && (sub_group_clustered_reduce_logical_or(g % 7 == 0, size) != 0) == some;            \
    }
kernel void k(global int *out) {
    int g = get_global_id(0), lane = get_sub_group_local_id();
    int most = get_max_sub_group_size(), n = get_sub_group_size();
    bool ok = true;
    CLUSTER(1)
    CLUSTER(2)
    CLUSTER(4)
    CLUSTER(16)
    CLUSTER(64)
    out[g] = ok;
}
