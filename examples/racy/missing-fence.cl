// Each work-group blurs its own part of an array in place, in two steps with a barrier between.
//
//   weir check examples/racy/missing-fence.cl wrong --global 256 --local 64 --arg inout=iota
//
// Wrong: the barrier orders local memory, and the array is in global memory. Right: the flag that names it.

static float blurred(global const float *part, size_t l) {
    return (part[max(l, (size_t)1) - 1] + part[l] + part[min(l + 1, get_local_size(0) - 1)]) / 3;
}

kernel void wrong(global float *data) {
    global float *part = data + get_group_id(0) * get_local_size(0);
    float x = blurred(part, get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    part[get_local_id(0)] = x;
}

kernel void right(global float *data) {
    global float *part = data + get_group_id(0) * get_local_size(0);
    float x = blurred(part, get_local_id(0));
    barrier(CLK_GLOBAL_MEM_FENCE);
    part[get_local_id(0)] = x;
}
