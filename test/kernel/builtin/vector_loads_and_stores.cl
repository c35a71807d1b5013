// global: 168
// arg: int in[504] = i
// arg: int out[504]
// expect: out = i / 3 * 3 + 2 - i % 3
kernel void k(global int *in, global int *out) {
    size_t g = get_global_id(0);
    int3 v = vload3(g, in);
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore3(v.zyx, g, out);
}
