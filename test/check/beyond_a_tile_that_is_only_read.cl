// finds: out-of-bounds 12
// illegal: finishes
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int tile[64];
    size_t l = get_local_id(0);
    tile[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = tile[l + 1];
}
