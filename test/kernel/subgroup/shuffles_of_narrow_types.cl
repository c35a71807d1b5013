// By numbers that are constant, computed, and different in each work-item.
// global: 504
// local: 1 7 64 250
// needs: cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative
// arg: int in[504] = i * 7 % 31
// arg: int out[504]
// expect: out = 1
#define CHECK(T)                                                                                    \
    {                                                                                               \
        T x = (T)in[g];                                                                             \
        uint other = (uint)(in[g] + lane) % n;                                                      \
        ok = ok && sub_group_shuffle(x, other) == (T)in[first + other];                             \
        ok = ok && sub_group_shuffle(x, n - 1 - lane) == (T)in[first + n - 1 - lane];               \
        T left = sub_group_shuffle_up(x, 1), right = sub_group_shuffle_down(x, 1);                  \
        T across = sub_group_shuffle_xor(x, 1), far = sub_group_shuffle_up(x, n - 1);               \
        ok = ok && (lane < 1 || left == (T)in[g - 1]) && (lane + 1 >= n || right == (T)in[g + 1]);  \
        ok = ok && ((lane ^ 1) >= n || across == (T)in[first + (lane ^ 1)]);                        \
        ok = ok && (lane + 1 < n || far == (T)in[first]);                                           \
    }
kernel void k(global int *in, global int *out) {
    int g = get_global_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size(), first = g - lane;
    bool ok = true;
    CHECK(char)
    CHECK(uchar)
    CHECK(short)
    CHECK(ushort)
    out[g] = ok;
}
