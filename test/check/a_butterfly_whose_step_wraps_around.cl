// finds: data-race 14 15
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
// arg: uint n = 0xffffffff
kernel void k(global int *out, uint n) {
    local int t[65];
    uint l = get_local_id(0);
    t[l + 1] = 0;
    for (uint step = n; step; step = 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step + 1;
        t[low] = l;
        t[low + step] = l + 100;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l + 1];
}
