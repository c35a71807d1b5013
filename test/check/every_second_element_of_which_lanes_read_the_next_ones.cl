// finds: data-race 11 12
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int t[128];
    int l = get_local_id(0);
    t[2 * l] = 0;
    t[2 * l + 1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[2 * l] = l + 1;
    out[l] = t[(2 * l + 2) & 127];
}
