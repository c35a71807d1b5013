// The sum of the positive numbers of each sub-group.
//
//   weir check examples/racy/sub-group-divergence.cl wrong --global 64 --local 64 --options -cl-std=CL3.0 --arg iota --arg out
//
// Wrong: only work-items with a positive number come to the reduction. Right: the others bring a zero.

kernel void wrong(global const int *in, global int *out) {
    int x = in[get_global_id(0)] - 5;
    if (x > 0)
        x = sub_group_reduce_add(x);
    out[get_global_id(0)] = x;
}

kernel void right(global const int *in, global int *out) {
    int x = in[get_global_id(0)] - 5;
    out[get_global_id(0)] = sub_group_reduce_add(max(x, 0));
}
