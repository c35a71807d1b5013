// Component i of a block lies i sub-groups behind the first.
// global: 256
// local: 64 256 32
// needs: cl_intel_subgroups cl_intel_subgroups_short cl_intel_subgroups_char cl_intel_subgroups_long
// arg: uint in[4096] = i * 7
// arg: uint copy[4096] = 0
// arg: ushort small[4096] = i * 3
// arg: uchar tiny[8192] = i
// arg: ulong large[4096] = i * 5
// arg: int out[256]
// expect: out = 1
// expect: copy = i < 1024 ? i * 7 + 1 : 0
kernel void k(global uint *in, global uint *copy, global ushort *small, global uchar *tiny, global ulong *large,
              global int *out) {
    uint g = get_global_id(0), lane = get_sub_group_local_id(), n = get_max_sub_group_size(), first = g - lane;
    uint v = intel_sub_group_block_read(in + first);
    bool ok = v == g * 7;
    uint8 w = intel_sub_group_block_read8(in + first);
    ok = ok && w.s0 == v && w.s1 == (g + n) * 7 && w.s7 == (g + 7 * n) * 7;
    ushort16 s = intel_sub_group_block_read_us16(small + first);
    ok = ok && s.s1 == (ushort)((g + n) * 3) && s.sf == (ushort)((g + 15 * n) * 3);
    uchar2 c = intel_sub_group_block_read_uc2(tiny + first);
    ok = ok && c.y == (uchar)(g + n) && intel_sub_group_block_read_uc(tiny + first) == (uchar)g;
    ulong4 l = intel_sub_group_block_read_ul4(large + first);
    ok = ok && l.w == (g + 3 * n) * 5ul;
    uint4 part = intel_sub_group_block_read_ui4(in + first * 4) + 1;
    intel_sub_group_block_write4(copy + first * 4, part);
    out[g] = ok;
}
