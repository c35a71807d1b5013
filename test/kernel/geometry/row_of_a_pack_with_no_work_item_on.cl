// A pack of two rows, of which one alone reads: whether the other's lanes read one place is of no number.
// global: 8,12
// local: 8,6
// arg: uint out[96] = 0
// arg: uint in[16] = i * 5
// expect: out = i / 8 % 6 == 1 ? i * 3 + (8 + i % 8) / 3 * 5 : i
kernel void k(global uint *out, global const uint *in) {
    uchar ly = get_local_id(1);
    ushort linear = get_local_linear_id();
    uint x = (uint)get_global_linear_id();
    if (ly == 1)
        x = x * 3 + in[linear / 3];
    out[get_global_linear_id()] = x;
}
