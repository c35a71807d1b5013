// global: 256
// local: 256 16 100
// arg: int out[256]
// expect: out = i + 16383
kernel void k(global int *out) {
    int a[16384];
    int g = get_global_id(0);
    for (int j = 0; j < 16384; j++)
        a[j] = j + g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int biggest = 0;
    for (int j = 0; j < 16384; j++)
        biggest = max(biggest, a[(j * 7) % 16384]);
    out[g] = biggest;
}
