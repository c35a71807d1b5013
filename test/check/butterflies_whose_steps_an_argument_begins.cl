// finds: nothing
// global: 64
// local: 64
// arg: int out[128] = 0
// arg: uint n = 128
// expect: out = i
kernel void k(global int *out, uint n) {
    local int t[128];
    uint l = get_local_id(0);
    t[l] = 127 - l;
    t[l + 64] = 63 - l;
    for (uint step = n / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step;
        int x = t[low];
        t[low] = t[low + step];
        t[low + step] = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
    out[l + 64] = t[l + 64];
}
