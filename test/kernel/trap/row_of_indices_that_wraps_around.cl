// Indices of 32 bits may be a row only because they wrap around: what lies before index 0 is far behind the others.
// global: 16
// local: 16 8
// arg: uint in[16] = i
// arg: uint out[16] = 0
// expect: out = i < 15 ? i + 1 : 0
kernel void k(global const uint *in, global uint *out) {
    uint item = in[get_global_id(0)], at = get_global_id(0) ^ (item & 0x100);
    if (item > 0)
        out[at - 1] = item;
}
