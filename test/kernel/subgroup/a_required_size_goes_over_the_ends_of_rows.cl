// Where rows aren't multiples of the size that a kernel requires, sub-groups are of work-items whose linear ids follow each
// other, over the ends of rows; all but the last one have that size, also in work-groups at the edges of the range.
// global: 20,7,3
// local: 20,1,1 4,7,1 5,3,2 1,7,3 16,2,2 20,7,3 17,4,1 7,2,3
// needs: cl_intel_required_subgroup_size __opencl_c_subgroups __opencl_c_work_group_collective_functions
// arg: int out[420]
// expect: out = 1
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *out) {
    local uint seen[420];
    uint x = get_local_id(0), y = get_local_id(1), z = get_local_id(2), at = get_local_linear_id();
    uint all = get_local_size(0) * get_local_size(1) * get_local_size(2), first = at / 16 * 16;
    uint whole = get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2);
    uint size = get_sub_group_size(), lane = get_sub_group_local_id();
    bool ok = at == (z * get_local_size(1) + y) * get_local_size(0) + x && x < get_local_size(0) && y < get_local_size(1);
    for (uint d = 0; d < 3; d++) {
        ok = ok && get_global_id(d) == get_group_id(d) * get_enqueued_local_size(d) + get_local_id(d);
    }
    ok = ok && get_max_sub_group_size() == 16 && lane == at % 16 && size == min(16u, all - first);
    ok = ok && get_sub_group_id() == at / 16 && get_num_sub_groups() == (all + 15) / 16;
    ok = ok && get_enqueued_num_sub_groups() == (whole + 15) / 16;
    ok = ok && sub_group_reduce_add(1u) == size && sub_group_broadcast(at, size - 1) == first + size - 1;
    seen[at] = sub_group_scan_exclusive_add(x + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = at + 1 < first + size ? seen[at + 1] - seen[at] : x + 1;
    ok = ok && before == x + 1;
    ok = ok && work_group_reduce_add(1u) == all && work_group_scan_exclusive_add(1u) == at;
    ok = ok && work_group_broadcast(at, get_local_size(0) - 1, 0, 0) == get_local_size(0) - 1;
    out[get_global_linear_id()] = ok;
}
