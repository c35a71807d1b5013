// global: 504
// arg: int out[504]
// expect: out = (i % 3 == 0) * 2 + (i > 100)
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    bool a = g % 3 == 0, b = g > 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = (a ? 2 : 0) + b;
}
