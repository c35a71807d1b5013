// A child of several work-groups exchanges values across a barrier; program-scope variables are the same for all.
// global: 4
// local: 1 4
// needs: __opencl_c_device_enqueue
// arg: int out[1024]
// expect: out = i / 64 * 64 + 63 - i % 64 + 7
global int seven;
kernel void k(global int *out) {
    if (get_global_id(0) != 0)
        return;
    seven = 7;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1024, 64), ^(local void *m) {
        local int *s = m;
        int l = get_local_id(0);
        s[l] = get_global_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = s[63 - l] + seven;
    }, (uint)(64 * sizeof(int)));
}
