// A helper that orders local or global memory, as its caller asks.
//
//   weir check examples/racy/barrier-flags-mismatch.cl wrong --global 64 --local 64 --arg inout=iota
//
// Wrong: odd and even work-items ask for different memory at the same barrier. Right: all ask for both.

static void wait_for(cl_mem_fence_flags what) {
    barrier(what);
}

kernel void wrong(global int *data) {
    local int tile[64];
    size_t l = get_local_id(0);
    tile[l] = data[l];
    wait_for(l % 2 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
    data[l] = tile[63 - l];
}

kernel void right(global int *data) {
    local int tile[64];
    size_t l = get_local_id(0);
    tile[l] = data[l];
    wait_for(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    data[l] = tile[63 - l];
}
