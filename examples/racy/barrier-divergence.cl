// A sum over each work-group, for a length that isn't a multiple of the work-group's size.
//
//   weir check examples/racy/barrier-divergence.cl wrong --global 256 --local 64 --arg iota --arg out:4 --arg 200
//
// Wrong: work-items beyond the end return at once, and the last work-group's others wait for them at the barrier: on a GPU for
// ever. Right: they stay, and add nothing.

static void sum_up(local float *partial, global float *sums) {
    size_t l = get_local_id(0);
    for (size_t n = get_local_size(0) / 2; n > 0; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n)
            partial[l] += partial[l + n];
    }
    if (l == 0)
        sums[get_group_id(0)] = partial[0];
}

kernel void wrong(global const float *in, global float *sums, uint n) {
    local float partial[64];
    if (get_global_id(0) >= n)
        return;
    partial[get_local_id(0)] = in[get_global_id(0)];
    sum_up(partial, sums);
}

kernel void right(global const float *in, global float *sums, uint n) {
    local float partial[64];
    partial[get_local_id(0)] = get_global_id(0) < n ? in[get_global_id(0)] : 0;
    sum_up(partial, sums);
}
