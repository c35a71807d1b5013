// The sum of an array, by many work-groups.
//
//   weir check examples/racy/inter-group-race.cl wrong --global 1024 --local 64 --arg iota --arg inout:1=zeros
//
// Wrong: each work-group adds its part to the result in two steps, a read and a write. Right: in one, an atomic.

static int group_sum(global const int *in, local int *total) {
    if (get_local_id(0) == 0)
        *total = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(total, in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *total;
}

kernel void wrong(global const int *in, global int *sum) {
    local int total;
    int part = group_sum(in, &total);
    if (get_local_id(0) == 0)
        *sum += part;
}

kernel void right(global const int *in, global int *sum) {
    local int total;
    int part = group_sum(in, &total);
    if (get_local_id(0) == 0)
        atomic_add(sum, part);
}
