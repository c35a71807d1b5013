// global: 504
// arg: int out[504]
// expect: out = i * 10 + i % 6
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    int a[6];
    for (int j = 0; j < 6; j++)
        a[j] = g * 10 + j;
    int *p = &a[g % 6];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = *p;
}
