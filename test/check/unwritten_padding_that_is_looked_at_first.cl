// finds: nothing
// global: 64
// local: 64
// arg: int in[64] = i + 1
// arg: int out[64]
// expect: out = i < 63 ? i + 2 : 0
kernel void k(global const int *in, global int *out) {
    local int tile[65];
    int l = get_local_id(0);
    tile[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = tile[l + 1], x = 0;
    if (next != 0 && l < 63) // whatever the padding is, nothing comes of it
        x = next;
    out[l] = x;
}
