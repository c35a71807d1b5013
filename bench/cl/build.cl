kernel void count(global const uint *in, global uint *out, uint n) {
    local uint bins[64];
    uint l = get_local_id(0);
    uint size = get_local_size(0);
    for (uint i = l; i < 64; i += size)
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        uint x = in[i];
        x ^= x >> 16;
        x *= 0x7feb352du + NONCE;
        x ^= x >> 15;
        atomic_inc(&bins[x % 64]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < 64; i += size) {
        if (bins[i])
            atomic_add(&out[i], bins[i]);
    }
}
