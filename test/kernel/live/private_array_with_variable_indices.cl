// global: 504
// arg: int out[504]
// expect: out = (i % 8) * 100 + i
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    int a[8];
    for (int j = 0; j < 8; j++) {
        a[(j + g) % 8] = (j + g) % 8 * 100 + g;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = a[g % 8];
}
