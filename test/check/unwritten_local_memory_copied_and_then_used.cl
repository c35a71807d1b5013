// finds: uninitialized-read 14 14
// illegal: finishes
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int from[64], to[64];
    size_t l = get_local_id(0);
    if (l < 48) from[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[l] = from[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = to[63 - l];
}
