// Children of work-items that are lanes of one pack, on both sides of a branch.
// global: 504
// local: 1 3 64 250
// needs: __opencl_c_device_enqueue
// arg: int out[504]
// expect: out = i * 10 + i % 3
kernel void k(global int *out) {
    int g = get_global_id(0), x = g * 10;
    if (g % 3 == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[g] = x; });
    else
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                       ^{ out[g] = x + g % 3; });
}
