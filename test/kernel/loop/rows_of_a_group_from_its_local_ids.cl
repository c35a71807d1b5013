// Each group goes through a part of its own, of a length that isn't a multiple of the group's, and what it has counted comes after.
// global: 512
// local: 128 64 256 512
// arg: uint a[20000] = i * 3 + 1
// arg: uint out[20000] = 0
// arg: uint ends[512] = 0
// arg: uint each = 1777
// expect: out = i < 1777 * N ? i * 6 + 2 : 0
// expect: ends = (i + N * 1777) % 5
kernel void k(global const uint *a, global uint *out, global uint *ends, uint each) {
    uint l = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * each;
    for (uint i = l; i < each; i += n)
        out[base + i] = a[base + i] * 2;
    ends[get_global_id(0)] = (get_global_id(0) + get_num_groups(0) * each) % 5;
}
