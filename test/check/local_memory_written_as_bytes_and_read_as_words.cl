// finds: nothing
// global: 64
// local: 64
// arg: uint out[16]
// expect: out = 4 * i | 4 * i + 1 << 8 | 4 * i + 2 << 16 | 4 * i + 3 << 24
kernel void k(global uint *out) {
    local union { uchar bytes[64]; uint words[16]; float4 rows[4]; } u;
    size_t l = get_local_id(0);
    u.bytes[l] = (uchar)l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        out[l] = u.words[l];
}
