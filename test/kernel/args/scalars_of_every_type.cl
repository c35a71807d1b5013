// global: 16
// arg: double out[16]
// arg: char a = -1
// arg: uchar b = 200
// arg: short c = -300
// arg: ushort d = 60000
// arg: int e = -70000
// arg: uint f = 4000000000
// arg: long g = -5000000000
// arg: ulong h = 6000000000
// arg: float m = 0.5
// arg: double n = 0.25
// expect: out = {-1, 200, -300, 60000, -70000, 4000000000, -5000000000, 6000000000, 0.5, 0.25}
kernel void k(global double *out, char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, float m, double n) {
    out[0] = a, out[1] = b, out[2] = c, out[3] = d, out[4] = e, out[5] = f, out[6] = g, out[7] = h, out[8] = m;
    out[9] = n;
}
