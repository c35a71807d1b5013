// finds: data-race 10 12
// global: 128
// local: 64
// arg: int in[128] = i
// arg: int out[128]
kernel void k(global const int *in, global int *out) {
    local int tile[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    for (int i = 0, s = 0; i < 4; i++) {
        tile[l] = in[g] + s;
        barrier(CLK_LOCAL_MEM_FENCE);
        s += tile[63 - l];
        out[g] = s;
    }
}
