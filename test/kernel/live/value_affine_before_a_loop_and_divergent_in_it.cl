// global: 64
// arg: uint out[64]
// arg: uint n = 3
// expect: out = (((i * i + 3) % 8 * i + 3) % 8) * i + 3
kernel void k(global uint *out, uint n) {
    uint g = get_global_id(0), v = g * 2 + 7, w = g * g;
    uint a[8];
    for (uint j = 0; j < 8; j++)
        a[j] = j * g;
    for (uint t = 0; t < n; t++)
        if (n & 1) {
            v = w + 3;
            w = a[v & 7];
        }
    out[g] = v;
}
