// global: 504
// arg: int out[504]
// expect: out = i * 6 + 12
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    int a[3] = {g, g * 2, g * 3};
    barrier(CLK_LOCAL_MEM_FENCE);
    a[0] += 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[1] += 7;
    out[g] = a[0] + a[1] + a[2];
}
