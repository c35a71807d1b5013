// finds: data-race 10 8
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int from[64], to[64];
    int l = get_local_id(0);
    from[l] = l;
    // where the neighbour may have written already
    to[l] = from[(l + 1) % 64];
    out[l] = to[l];
    to[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] += to[63 - l];
}
