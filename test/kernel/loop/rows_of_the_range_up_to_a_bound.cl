// From its id in steps of the range up to bounds that lie within a pack, with numbers of both signs and of 64 bits.
// global: 512
// local: 128 64 256 512 any
// arg: uint a[3072] = i * 7 + 3
// arg: uint u[3072] = 1
// arg: uint s[3072] = 2
// arg: uint l[3072] = 3
// arg: uint n = 3001
// arg: int m = 2049
// arg: ulong o = 517
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
    for (uint i = 0; i < n; i++)
        u[i] = a[i] * 2 + 1;
    for (int i = 0; i < m; i++)
        s[i] = a[i] + i;
    for (ulong i = 0; i < o; i++)
        l[i] += a[i] ^ 5;
}
