// global: 12,10
// local: 1,1 3,2 12,10 4,5
// needs: collectives
// arg: int out[120]
// expect: out = i / 12 % LY * LX + i % 12 % LX + 1
kernel void k(global int *out) {
    out[get_global_linear_id()] = work_group_scan_inclusive_add(1);
}
