// global: 1024
// local: 1024 512
// arg: int out[1024]
// expect: out = i * 3 + 4095
kernel void k(global int *out) {
    int a[4096], g = get_global_id(0);
    for (int j = 0; j < 4096; j++)
        a[j] = j;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[g % 4096] += 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a[4095] + g * 3;
}
