// global: 504
// arg: int in[504] = i
// arg: int out[504]
// expect: out = i * 2
kernel void k(global volatile int *in, global int *out) {
    size_t g = get_global_id(0);
    int v = in[g];
    barrier(CLK_GLOBAL_MEM_FENCE);
    in[g] = v + 1000;
    out[g] = v * 2;
}
