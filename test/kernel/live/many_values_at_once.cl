// global: 504
// arg: int out[504]
// expect: out = i * 120 + 120
kernel void k(global int *out) {
    int g = get_global_id(0);
    int a = g, b = g * 2, c = g * 3, d = g * 4, e = g * 5, f = g * 6, h = g * 7, i = g * 8, j = g * 9, l = g * 10;
    int m = g * 11, n = g * 12, o = g * 13, p = g * 14, q = g * 15;
    barrier(CLK_LOCAL_MEM_FENCE);
    a += 1, b += 2, c += 3, d += 4, e += 5, f += 6, h += 7, i += 8, j += 9, l += 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    m += 11, n += 12, o += 13, p += 14, q += 15;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a + b + c + d + e + f + h + i + j + l + m + n + o + p + q;
}
