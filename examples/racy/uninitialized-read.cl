// A histogram of each work-group, in local memory.
//
//   weir check examples/racy/uninitialized-read.cl wrong --global 256 --local 64 --arg iota --arg out:64
//
// Wrong: the counters begin as what was in local memory before. Right: they are set to zero first.

kernel void wrong(global const uint *in, global uint *out) {
    local uint counts[16];
    size_t l = get_local_id(0);
    atomic_inc(&counts[in[get_global_id(0)] % 16]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        out[get_group_id(0) * 16 + l] = counts[l];
}

kernel void right(global const uint *in, global uint *out) {
    local uint counts[16];
    size_t l = get_local_id(0);
    if (l < 16)
        counts[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&counts[in[get_global_id(0)] % 16]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        out[get_group_id(0) * 16 + l] = counts[l];
}
