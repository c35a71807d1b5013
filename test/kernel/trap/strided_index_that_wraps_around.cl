// Indices of 32 bits that are evenly apart, up and down, but for a wrap in the middle of a pack.
// global: 64
// local: 64 16 5
// arg: uint from = 4294967264
// arg: uint in[256] = i
// arg: uint out[64]
// expect: out = i < 16 ? 7 : i < 32 ? (2 * i - 32) + (31 - i) * 1000 : (2 * i - 32) + 7000
kernel void k(uint from, global const uint *in, global uint *out) {
    uint g = get_global_id(0), up = g * 2 + from, down = 31 - g, x = 7;
    if (g >= 16) {
        x = in[up];
        if (g < 32)
            x += in[down] * 1000;
        else
            x += 7000;
    }
    out[g] = x;
}
