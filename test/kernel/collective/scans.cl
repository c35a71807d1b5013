// global: 504
// needs: collectives
// arg: int in[504] = i * 7 % 31
// arg: int out[504]
// expect: out = sum(j, F, i + 1, j * 7 % 31) + 10000 * sum(j, F, i, j * 7 % 31)
kernel void k(global int *in, global int *out) {
    int v = in[get_global_id(0)];
    out[get_global_id(0)] = work_group_scan_inclusive_add(v) + 10000 * work_group_scan_exclusive_add(v);
}
