// Volatile local memory: sums by a tree, elements that a work-item stores and reads at other places, under a mask, and a shared one.
// global: 192
// local: 96
// arg: int in[192] = i * 7 % 31
// arg: int out[192]
// arg: int sums[2]
// expect: out = (i % 96 == 95 ? 1000 : (i + 1) * 7 % 31) + (i % 3 == 0 ? 5 : i % 96 == 1 ? 0 : i * 7 % 31) + 9
// expect: sums = i == 0 ? 1416 : 1448
kernel void k(global const int *in, global int *out, global int *sums) {
    local volatile int s[97], t[96], one;
    int g = get_global_id(0), l = get_local_id(0);
    s[l] = in[g];
    t[l] = in[g];
    if (l == 0) {
        s[96] = 1000;
        one = 9;
    }
    if (g % 3 == 0)
        t[l] = 5;
    else if (l == 1)
        t[l] -= t[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = s[l + 1] + t[l] + one;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 48; d >= 3; d /= 2) {
        if (l < d)
            s[l] += s[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = s[0] + s[1] + s[2];
}
