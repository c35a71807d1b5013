// finds: nothing
// global: 64
// local: 64
// arg: float in[64] = i
// arg: float out[64]
// expect: out = 0
kernel void k(global const float *in, global float *out) {
    local float tile[64];
    size_t l = get_local_id(0);
    if (l & 1)
        tile[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    float x = sin(tile[l]), y = tile[l];
    out[l] = l & 1 ? x - sin(y) : 0.0f;
}
