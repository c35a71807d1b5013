// global: 504
// needs: collectives
// arg: uint in[504] = i * 7 % 31 + 5
// arg: uint out[504]
// expect: out = maxof(j, F, i + 1, j * 7 % 31 + 5) + 100 * minof(j, F, i + 1, j * 7 % 31 + 5) + 10000 * (i == F ? 0 : maxof(j, F, i, j * 7 % 31 + 5))
kernel void k(global uint *in, global uint *out) {
    uint v = in[get_global_id(0)];
    out[get_global_id(0)] = work_group_scan_inclusive_max(v) + 100 * work_group_scan_inclusive_min(v) +
                            10000 * work_group_scan_exclusive_max(v);
}
