// global: 504
// arg: int out[504]
// arg: int big = 2147483600
// expect: out = i < 40 ? 2147483600 + i : 0
kernel void k(global int *out, int big) {
    int g = get_global_id(0), r = 0;
    if (g < 40)
        r = big + g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = r;
}
