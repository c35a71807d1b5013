// global: 504
// arg: int out[504]
// expect: out = i % 2 ? i : 1
kernel void k(global int *out) {
    int g = get_global_id(0), v;
    if (g % 2)
        v = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = g % 2 ? v : 1;
}
