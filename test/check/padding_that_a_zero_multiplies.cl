// finds: nothing
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
// expect: out = i < 63 ? i + i + 1 : i
kernel void k(global const int *in, global int *out) {
    local int tile[65];
    size_t l = get_local_id(0);
    tile[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    int inside = l < 63;
    out[l] = tile[l] + tile[l + 1] * inside;
}
