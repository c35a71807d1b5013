// global: 252
// arg: int out[252]
// expect: out = 1
kernel void k(global int *out) {
    int g = get_global_id(0), a[16];
    for (int j = 0; j < 16; j++)
        a[j] = (j * 7 + g) % 16;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int x = 1; x < 16; x++)
        for (int y = x; y > 0 && a[y - 1] > a[y]; y--) {
            int t = a[y];
            a[y] = a[y - 1];
            a[y - 1] = t;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    int ok = 1;
    for (int j = 0; j < 16; j++)
        ok &= a[j] == j;
    out[g] = ok;
}
