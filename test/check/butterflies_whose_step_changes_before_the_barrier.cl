// finds: data-race 15 19
// finds: data-race 16 19
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
// arg: uint n = 32
kernel void k(global int *out, uint n) {
    local int t[128];
    uint l = get_local_id(0);
    t[l] = t[l + 64] = l;
    for (uint step = n; step > 1;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step;
        t[low] = l;
        t[low + step] = l + 100;
        step /= 2;
        low = 2 * step * (l / step) + l % step;
        t[low] = l + 200;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}
