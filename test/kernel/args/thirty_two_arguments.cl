// global: 16
// arg: int out[16]
// arg: int a = 1
// arg: long b = 2
// arg: char c = 3
// arg: int d = 4
// arg: short e = 5
// arg: int f = 6
// arg: float g = 7
// arg: int h = 8
// arg: double m = 9
// arg: int n = 10
// arg: int o = 11
// arg: local s[64]
// arg: int p = 12
// arg: int q = 13
// arg: uchar r = 14
// arg: int t = 15
// arg: int in[16] = i
// arg: int u = 16
// arg: int v = 17
// arg: local w[128]
// arg: int4 x = 18, 19, 20, 21
// arg: int y = 22
// arg: int z = 23
// arg: char aa = 24
// arg: int bb = 25
// arg: int cc = 26
// arg: int dd = 27
// arg: int ee = 28
// arg: int ff = 29
// arg: int gg = 30
// arg: int hh = 31
// local: 1 16
// expect: out = i + 496
kernel void k(global int *out, int a, long b, char c, int d, short e, int f, float g, int h, double m, int n, int o,
              local int *s, int p, int q, uchar r, int t, global int *in, int u, int v, local int *w, int4 x, int y,
              int z, char aa, int bb, int cc, int dd, int ee, int ff, int gg, int hh) {
    size_t l = get_local_id(0);
    s[l] = 0;
    w[l] = a + b + c + d + e + f + g + h + m + n + o + p + q + r + t + u + v + x.x + x.y + x.z + x.w + y + z;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = in[get_global_id(0)] + s[l] + w[l] + aa + bb + cc + dd + ee + ff + gg + hh;
}
