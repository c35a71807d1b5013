// All sub-groups of a work-group have the same size, but for the last one; so they divide rows, if there are several.
// global: 20,6,2
// local: 20,1,1 20,2,1 20,3,2 10,6,1 20,1,2 5,3,2
// needs: __opencl_c_subgroups
// arg: int out[240]
// expect: out = 1
kernel void k(global int *out) {
    uint size = get_sub_group_size(), id = get_sub_group_id(), number = get_num_sub_groups();
    uint all = get_local_size(0) * get_local_size(1) * get_local_size(2);
    uint first = work_group_broadcast(size, 0, 0, 0), at = get_local_linear_id();
    bool ok = id + 1 < number ? size == first : size <= first;
    ok = ok && number == (all + first - 1) / first && id == at / first && get_sub_group_local_id() == at % first;
    ok = ok && size == sub_group_reduce_add(1) && size <= get_max_sub_group_size();
    out[get_global_linear_id()] = ok;
}
