// global: 504
// arg: int out[504]
// expect: out = i * (i % 3 + 1)
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    int a = g, b = g * 2, c = g * 3;
    int *p[3] = {&a, &b, &c};
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = *p[g % 3];
}
