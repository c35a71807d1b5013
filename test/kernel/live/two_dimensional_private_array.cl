// global: 504
// arg: int out[504]
// expect: out = i * 100 + i % 3 * 10 + i % 4
kernel void k(global int *out) {
    int g = get_global_id(0), a[3][4];
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 4; x++)
            a[y][x] = g * 100 + y * 10 + x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a[g % 3][g % 4];
}
