// global: 504
// arg: int in[504] = i
// arg: int out[504]
// expect: out = i * 2
kernel void k(const global int *restrict in, global int *restrict out) {
    size_t g = get_global_id(0);
    out[g] = in[g];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] += in[g];
}
