// global: 500
// local: 1 7 16 40 64 96 128 250
// arg: uint out[500]
// arg: int size = L
// arg: uint k = 3
// reference: reference
uint parts(uint x) {
    return x / 16 + x % 16 * 3 + x / 32 * 5 + x % 32 * 7 + x / 48 * 11 + x % 48 * 13 + x / 12 * 17 + x % 12 * 19 +
           (x >> 6) * 23 + (x & 63) * 29 + (x & ~15u) * 31 + (x ^ 64) * 37;
}
uint signed_parts(int x) {
    return x / 16 + x % 16 * 3 + (x >> 4) * 5 + (x & 31) * 7 + (x < -32 ? 11 : 13) + (x > 15 ? 17 : 19) + (x <= 31 ? 23 : 29);
}
uint compared(uint x) {
    uint h = 1;
    if (x < 64)
        h = h * 3 + x;
    if (x >= 32)
        h = h * 5 + x;
    if (x > 47)
        h = h * 7 + x;
    if (x <= 95)
        h = h * 11 + x;
    return h;
}
uint in_loops(uint l, uint k) {
    uint h = 1;
    for (uint i = l; i < 300; i += 64) {
        h = h * 31 + i / 64 + i % 64 * 7;
        if (i < 128)
            h ^= 5;
        if ((h & 7) == k)
            break;
        h += i / 16 * 3 + (i & 31);
    }
    for (uint i = l + 16 * k; i < 300; i += 48)
        h = h * 17 + i / 16 + (i & 15);
    uint next = l + 64, rounds = h & 3; /* work-items leave with values of different rounds */
    for (uint i = l; i / 64 <= rounds; i += 64) {
        next = i + 64;
        if ((next ^ h) & 64)
            break;
    }
    return h + next / 64 + next % 32 * 3 + (next < 192 ? 5 : 0);
}
uint work(uint l, uint k) {
    uint h = parts(l) + parts(l + 128 * k) * 3 + parts(l * 4 + 1024 * k) * 5 + parts(l + 0xfffffff0u) * 7 + parts(l + k) * 11;
    h = h * 31 + signed_parts((int)l - 64) + signed_parts((int)(l * 8) - 512 * (int)k);
    h = h * 31 + compared(l) + compared(l + k * 32) + in_loops(l, k);
    if (l % 16 >= 5) {
        uint x = l - 5 + k;
        h += parts(x) + parts(l - k + 3) + (uint)((ulong)(x + 2) / 32 + (ulong)(l + 0xffffffe0u) / 16);
    }
    return h;
}
kernel void k(global uint *out, int size, uint k) {
    out[get_global_id(0)] = work(get_local_id(0), k);
}
kernel void reference(global uint *out, int size, uint k) {
    for (int g = 0; g < 500; g++)
        out[g] = work(g % size, k);
}
