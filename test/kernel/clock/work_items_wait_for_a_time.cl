// global: 64
// arg: int out[64]
// expect: out = 1
kernel void k(global int *out) {
    ulong start = clock_read_device(), now = start;
    ulong ticks = 1000 + 100 * get_global_id(0);
    while (now - start < ticks)
        now = clock_read_device();
    out[get_global_id(0)] = now - start >= ticks;
}
