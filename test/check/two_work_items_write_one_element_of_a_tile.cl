// finds: data-race 9 9
// global: 128
// local: 64
// arg: int in[128] = i
// arg: int out[128]
kernel void k(global const int *in, global int *out) {
    local int tile[32];
    int l = get_local_id(0), g = get_global_id(0);
    tile[l % 32] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[l / 2];
}
