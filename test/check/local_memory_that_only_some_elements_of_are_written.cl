// finds: uninitialized-read 10 10
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int tile[66];
    size_t l = get_local_id(0);
    tile[l + 1] = in[l]; barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = tile[l] + tile[l + 1] + tile[l + 2];
}
