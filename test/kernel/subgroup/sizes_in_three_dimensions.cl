// A sub-group lies in a row; each row has as many, and what is left of it is a smaller one.
// global: 12,10,6
// local: 1,1,1 2,2,2 3,5,2 12,10,6 4,1,3 5,3,1 12,1,1
// needs: __opencl_c_subgroups
// arg: int out[720]
// expect: out = 1
kernel void k(global int *out) {
    uint most = get_max_sub_group_size(), size = get_sub_group_size(), lane = get_sub_group_local_id();
    uint x = get_local_id(0), row = get_local_size(0), per_row = (row + most - 1) / most;
    uint before = get_local_id(2) * get_local_size(1) + get_local_id(1);
    bool ok = lane == x % most && size == min(most, row - x / most * most);
    ok = ok && get_sub_group_id() == before * per_row + x / most;
    ok = ok && get_num_sub_groups() == per_row * get_local_size(1) * get_local_size(2);
    ok = ok && sub_group_reduce_add(1) == size;
    ok = ok && sub_group_reduce_min((uint)get_global_linear_id()) == get_global_linear_id() - lane;
    out[get_global_linear_id()] = ok;
}
