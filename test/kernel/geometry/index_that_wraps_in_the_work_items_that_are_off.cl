// global: 63
// local: 21 63 any
// arg: uint out[63]
// arg: int low = -2147483647 - 1
// expect: out = i < 5 ? 7 : 4294934528 + 2147483648 + i - 5
kernel void k(global uint *out, int low) {
    int g = get_global_id(0);
    long x = 458752;
    if (g >= 5)
        x = g - 5 + low;
    out[g] = g < 5 ? (uint)(x >> 16) : (uint)(x >> 16) + (uint)x;
}
