// What children capture lives across barriers of the parent; ranges of 2 and 3 dimensions.
// global: 128
// local: 16 64
// needs: __opencl_c_device_enqueue
// arg: int out[128]
// arg: local part[256]
// expect: out = 3 * 2 * (i + 24) + 4 * i
kernel void k(global int *out, local int *part) {
    int g = get_global_id(0), l = get_local_id(0), x = g, n = get_local_size(0);
    const size_t two[2] = {3, 2}, three[3] = {2, 1, 2};
    for (int i = 0; i < 3; i++) {
        part[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = part[l] + 8;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = 0;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_2D(two), ^{ atomic_add(out + g, x); });
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_3D(three, three),
                   ^{ atomic_add(out + g, g); });
}
