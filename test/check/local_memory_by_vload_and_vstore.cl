// finds: nothing
// global: 64
// local: 64
// arg: float in[192] = i
// arg: float out[192]
// expect: out = 2 * i
kernel void k(global const float *in, global float *out) {
    local float tile[192];
    local float3 wide[64];
    size_t l = get_local_id(0);
    vstore3(vload3(l, in), l, tile);
    wide[l] = vload3(l, in);
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore3(vload3(l, tile) + wide[l], l, out);
}
