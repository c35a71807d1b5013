// Bounds that are 0, negative, or within the first pack: most groups have no round.
// global: 512
// local: 128 64 256 512 any
// arg: uint a[512] = i * 7 + 3
// arg: uint u[512] = 1
// arg: uint s[512] = 2
// arg: uint l[512] = 3
// arg: uint n = 0
// arg: int m = -5
// arg: ulong o = 7
// reference: r
kernel void k(global const uint *a, global uint *u, global uint *s, global uint *l, uint n, int m, ulong o) {
    int step = get_global_size(0);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        u[i] = a[i] * 2 + 1;
    for (int i = get_global_id(0); i < m; i += step)
        s[i] = a[i] + i;
    for (size_t i = get_global_id(0); i < o; i += get_global_size(0))
        l[i] += a[i] ^ 5;
}
kernel void r(global const uint *a, global uint *u, global uint *s, global uint *l, uint n, int m, ulong o) {
    for (uint i = 0; i < 7; i++)
        l[i] += a[i] ^ 5;
}
