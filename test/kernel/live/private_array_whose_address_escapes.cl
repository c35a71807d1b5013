// global: 504
// arg: int out[504]
// expect: out = i * 3 + 1
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    int a[4] = {g, g * 2, g * 3, g * 4}, b[4] = {1, 2, 3, 4};
    int *p = g % 2 ? a : b, *q = g % 2 ? b : a;
    barrier(CLK_LOCAL_MEM_FENCE);
    int t = g % 2 ? p[2] + q[0] : q[2] + p[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = t;
}
