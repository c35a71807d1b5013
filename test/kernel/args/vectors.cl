// global: 16
// arg: int out[16]
// arg: char2 a = 1, -2
// arg: float4 b = 3, 4, 5, 6
// arg: int3 c = 7, 8, 9
// arg: double8 d = 10, 11, 12, 13, 14, 15, 16, 17
// arg: uchar16 e = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
// expect: out = {1, -2, 3, 6, 7, 9, 10, 17, 1, 16}
kernel void k(global int *out, char2 a, float4 b, int3 c, double8 d, uchar16 e) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[0] = a.x, out[1] = a.y, out[2] = b.x, out[3] = b.w, out[4] = c.x, out[5] = c.z, out[6] = d.s0, out[7] = d.s7;
    out[8] = e.s0, out[9] = e.sf;
}
