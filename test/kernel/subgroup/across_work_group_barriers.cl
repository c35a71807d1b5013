// What sub-groups compute lives on behind barriers of the work-group.
// global: 504
// local: 1 3 16 64 250
// needs: __opencl_c_subgroups
// arg: int out[504]
// arg: local sums[2000]
// expect: out = sum(j, F, F + S, j % 13)
kernel void k(global int *out, local int *sums) {
    int x = get_global_id(0) % 13, part = sub_group_reduce_add(x), before = sub_group_scan_exclusive_add(x);
    uint id = get_sub_group_id(), lane = get_sub_group_local_id(), count = get_num_sub_groups();
    if (lane == 0)
        sums[id] = part;
    barrier(CLK_LOCAL_MEM_FENCE);
    int total = 0;
    for (uint i = 0; i < count; i++)
        total += sums[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == get_sub_group_size() - 1)
        sums[id] = before + x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sums[id] == part ? total : -1;
}
