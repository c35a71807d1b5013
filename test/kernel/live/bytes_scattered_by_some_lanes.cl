// global: 504
// arg: int at[504] = i % 3 ? (i * 5) % 504 : 0 - 1
// arg: uchar bytes[504] = 0
// arg: short shorts[504] = 0
// expect: bytes = (i * 101) % 504 % 3 ? (i * 101) % 504 % 256 : 0
// expect: shorts = (i * 101) % 504 % 3 ? (i * 101) % 504 : 0
kernel void k(global const int *at, global uchar *bytes, global short *shorts) {
    int g = get_global_id(0), i = at[g];
    if (i >= 0) {
        bytes[i] = g;
        shorts[i] = g;
    }
}
