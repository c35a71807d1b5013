// finds: nothing
// global: 64
// local: 64
// arg: uint in[64] = i
// arg: uint out[64]
// expect: out = i
kernel void k(global const uint *in, global uint *out) {
    local uint low[64], high[64];
    size_t l = get_local_id(0);
    low[l] = in[l];
    if (l < 8)
        high[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong both = (ulong)high[l] << 32 | low[l];
    out[l] = (uint)both;
}
