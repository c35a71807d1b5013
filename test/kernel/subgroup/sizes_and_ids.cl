// The functions that tell a work-item its place agree with each other.
// global: 504
// local: 1 3 16 64 250
// needs: __opencl_c_subgroups
// arg: int out[504]
// expect: out = 1
kernel void k(global int *out) {
    uint most = get_max_sub_group_size(), size = get_sub_group_size(), lane = get_sub_group_local_id();
    uint id = get_sub_group_id(), local_id = get_local_id(0), row = get_local_size(0);
    bool ok = most >= 1 && (most & (most - 1)) == 0 && lane < size && size <= most;
    ok = ok && id == local_id / most && lane == local_id % most && size == min(most, row - id * most);
    ok = ok && get_num_sub_groups() == (row + most - 1) / most && id < get_num_sub_groups();
    ok = ok && get_enqueued_num_sub_groups() == (get_enqueued_local_size(0) + most - 1) / most;
    out[get_global_id(0)] = ok;
}
