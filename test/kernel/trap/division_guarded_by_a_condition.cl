// global: 504
// arg: int in[504] = i % 4
// arg: int out[504]
// expect: out = i % 4 ? 100 / (i % 4) : -1
kernel void k(global int *in, global int *out) {
    size_t g = get_global_id(0);
    int d = in[g], r = -1;
    if (d != 0)
        r = 100 / d;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = r;
}
