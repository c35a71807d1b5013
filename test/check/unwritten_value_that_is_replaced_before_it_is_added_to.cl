// finds: nothing
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int from[65], to[64];
    int l = get_local_id(0);
    from[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    to[l] = from[l + 1];
    to[l] = 5;
    to[l] += l;
    out[l] = to[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] += to[63 - l];
}
