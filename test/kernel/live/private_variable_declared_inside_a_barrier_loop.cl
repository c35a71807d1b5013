// global: 504
// arg: int out[504]
// arg: int m = 4
// expect: out = sum(j, 0, 4, i * j + 6 * j)
kernel void k(global int *out, int m) {
    int sum = 0;
    for (int j = 0; j < m; j++) {
        int a[4];
        for (int x = 0; x < 4; x++)
            a[x] = x * j;
        int own = get_global_id(0) * j;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int x = 0; x < 4; x++)
            sum += a[x];
        sum += own;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
