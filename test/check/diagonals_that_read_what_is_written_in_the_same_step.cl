// finds: data-race 14 14
// illegal: finishes
// global: 16
// local: 16
// arg: int out[16]
kernel void k(global int *out) {
    local int t[17 * 18];
    int x = get_local_id(0);
    for (int i = x; i < 17 * 18; i += 16)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 31; d++) {
        if (d - x >= 0 && d - x < 16)
            t[17 * (d - x) + x + 17] = t[17 * (d - x) + x + 1] + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[x] = t[x];
}
