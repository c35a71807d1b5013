// In steps of the range up to a bound: OpenCL vectors, structures of three, elements that a table tells, and such that are stored there.
// global: 512
// local: 128 64 256 512 any
// arg: uint a[12288] = i * 7 + i / 3
// arg: uint u[12288] = 1
// arg: uint s[4096] = 2
// arg: uint t[4096] = 3
// arg: uchar c[4096] = i
// arg: uint n = 3001
// arg: uint m = 2998
// arg: uint o = 2900
// reference: r
kernel void k(global const uint *a, global uint *u, global uint *s, global uint *t, global uchar *c, uint n, uint m,
              uint o) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        vstore4(vload4(i, a) + i, i, u);
    for (uint i = get_global_id(0); i < m; i += get_global_size(0))
        s[i] = a[3 * i] + a[3 * i + 1] * a[3 * i + 2];
    for (uint i = get_global_id(0); i < o; i += get_global_size(0))
        if (i & 5)
            t[i ^ 1] = a[a[i] & 1023] - i;
    for (int i = get_global_id(0); i < (int)n / 4; i += get_global_size(0))
        ((global uchar4 *)c)[i] = ((global uchar4 *)c)[i].wzyx + (uchar4)(1, 2, 3, 4);
}
kernel void r(global const uint *a, global uint *u, global uint *s, global uint *t, global uchar *c, uint n, uint m,
              uint o) {
    for (uint i = 0; i < n; i++) {
        vstore4(vload4(i, a) + i, i, u);
        if (i < m)
            s[i] = a[3 * i] + a[3 * i + 1] * a[3 * i + 2];
        if (i < o && i & 5)
            t[i ^ 1] = a[a[i] & 1023] - i;
    }
    for (uint i = 0; i < n / 4; i++)
        vstore4(vload4(i, c).wzyx + (uchar4)(1, 2, 3, 4), i, c);
}
