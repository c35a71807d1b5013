// Each work-item has three vectors of 16 bytes in a row: wide packs put together many bytes.
// global: 256
// local: any 64 256
// arg: uchar in[16] = i
// arg: int each = 3
// arg: uint out[256]
// expect: out = 120 + 48 * i % 256
kernel void k(global const uchar *in, int each, global uint *out) {
    local uchar16 tile[768];
    size_t l = get_local_id(0);
    for (int i = 0; i < each; i++)
        tile[l * each + i] = vload16(0, in) + (uchar16)(i * 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    uchar16 v = tile[l * each + 0];
    sum = v.s0 + v.s1 + v.s2 + v.s3 + v.s4 + v.s5 + v.s6 + v.s7 + v.s8 + v.s9 + v.sa + v.sb + v.sc + v.sd + v.se + v.sf;
    out[get_global_id(0)] = sum + (tile[l * each + 1].s0 * 16 * get_global_id(0)) % 256;
}
