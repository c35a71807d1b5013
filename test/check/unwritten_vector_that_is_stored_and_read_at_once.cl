// finds: uninitialized-read 11 11
// global: 64
// local: 64
// arg: float out[64]
kernel void k(global float *out) {
    local float4 from[65], to[64];
    int l = get_local_id(0);
    from[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    to[l] = from[l + 1];
    out[l] = to[l].z;
}
