// The difference of each number and the one after it in its sub-group.
//
//   weir check examples/racy/absent-lane.cl wrong --global 64 --local 64 --options -cl-std=CL3.0 --arg iota --arg out
//
// Wrong: the last work-item gets what no other one has. Right: it stores its own number, and doesn't use what it gets.

#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable

kernel void wrong(global const int *in, global int *out) {
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = sub_group_shuffle_down(x, 1) - x;
}

kernel void right(global const int *in, global int *out) {
    int x = in[get_global_id(0)], next = sub_group_shuffle_down(x, 1);
    bool is_last = get_sub_group_local_id() + 1 == get_sub_group_size();
    out[get_global_id(0)] = is_last ? x : next - x;
}
