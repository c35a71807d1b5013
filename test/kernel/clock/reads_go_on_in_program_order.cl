// global: 1008
// arg: float in[1008] = i
// arg: int out[1008]
// expect: out = 63
kernel void k(global const float *in, global int *out) {
    size_t g = get_global_id(0);
    ulong t[4];
    t[0] = clock_read_device();
    float x = in[g];
    for (int j = 0; j < 20 + (int)(g % 5); j++)
        x = sqrt(x + j);
    t[1] = clock_read_work_group();
    barrier(CLK_LOCAL_MEM_FENCE);
    t[2] = clock_read_sub_group();
    uint2 hilo = clock_read_hilo_device(), more = clock_read_hilo_work_group(), most = clock_read_hilo_sub_group();
    t[3] = (ulong)hilo.hi << 32 | hilo.lo;
    int ok = (t[0] <= t[1]) | (t[1] <= t[2]) << 1 | (t[2] <= t[3]) << 2 | (x > 0) << 3;
    ok |= (t[3] <= ((ulong)more.hi << 32 | more.lo)) << 4 | (as_ulong(more) <= as_ulong(most)) << 5;
    out[g] = ok;
}
