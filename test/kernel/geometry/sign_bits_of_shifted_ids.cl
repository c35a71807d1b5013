// global: 512
// local: 1 7 8 16 32 64 128
// arg: uint out[512]
// arg: int size = L
// arg: int k = 3
// reference: reference
uint compared(int x, int k) {
    uint h = 1;
    h = h * 3 + (x < 0);
    h = h * 3 + (x >= 0x40000000);
    h = h * 3 + (x > -1);
    h = h * 3 + (x <= 0x3fffffff);
    h = h * 3 + (x < -0x40000000);
    if (x < k - 3)
        h += 7;
    return h * 31 + (uint)(x >> 29) * 5 + (uint)(x >> 31) * 3;
}
uint unsigned_compared(uint x) {
    uint h = 1;
    h = h * 3 + (x < 0x80000000u);
    h = h * 3 + (x >= 0x40000000u);
    h = h * 3 + (x > 0x7fffffffu);
    h = h * 3 + (x <= 0xbfffffffu);
    return h * 31 + x / 0x20000000u + x % 0x80000000u * 3 + (x & 0xc0000000u) * 5 + (x ^ 0x80000000u) * 7;
}
ulong wide(uint x, int k) {
    long sign = (int)x;
    ulong none = x;
    ulong h = (ulong)sign * 3 + none * 5 + (ulong)(sign < 0) + (ulong)(long)(int)(x & 0xf0000000u) * 7;
    return h + (none << 31) + ((long)(none << 31) < 0) * 11 + (ulong)(sign >> 33) * 13;
}
uint in_a_loop(uint l, int k) {
    uint h = 0, x = l << 29;
    for (int i = 0; i < k; i++) {
        if ((int)x < 0)
            h += 5;
        h = h * 3 + (x >> 31);
        x += 0x80000000u;
    }
    return h;
}
uint work(uint l, int k) {
    uint h = 0;
    h = h * 31 + compared((int)(l << 31), k) + unsigned_compared(l << 31) + (uint)wide(l << 31, k);
    h = h * 31 + compared((int)(l << 30), k) + unsigned_compared(l << 30) + (uint)wide(l << 30, k);
    h = h * 31 + compared((int)(l << 29), k) + unsigned_compared(l << 29) + (uint)wide(l << 29, k);
    h = h * 31 + compared((int)(l << 28), k) + unsigned_compared(l << 28) + (uint)wide(l << 28, k);
    h = h * 31 + compared((int)(l << 27), k) + unsigned_compared(l << 27) + (uint)wide(l << 27, k);
    h = h * 31 + compared((int)(l << 26), k) + unsigned_compared(l << 26) + (uint)wide(l << 26, k);
    h = h * 31 + compared((int)(l << 25), k) + unsigned_compared(l << 25) + (uint)wide(l << 25, k);
    h = h * 31 + compared((int)(l * 0x20000000u), k) + unsigned_compared(l * 0x20000000u);
    h = h * 31 + compared((int)((l << 29) + ((uint)k << 31)), k) + unsigned_compared((l << 28) + ((uint)k << 31));
    return h * 31 + in_a_loop(l, k);
}
kernel void k(global uint *out, int size, int k) {
    out[get_global_id(0)] = work((uint)get_local_id(0), k);
}
kernel void reference(global uint *out, int size, int k) {
    for (int g = 0; g < 512; g++)
        out[g] = work((uint)(g % size), k);
}
