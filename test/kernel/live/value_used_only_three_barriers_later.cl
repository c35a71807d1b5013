// global: 504
// arg: int in[504] = i * 3
// arg: int out[504]
// expect: out = i * 3
kernel void k(global int *in, global int *out) {
    size_t g = get_global_id(0);
    int v = in[g];
    barrier(CLK_GLOBAL_MEM_FENCE);
    in[g] = -1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    in[g] = -2;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] = v;
}
