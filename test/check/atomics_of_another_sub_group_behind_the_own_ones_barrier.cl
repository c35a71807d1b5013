// finds: data-race 14 16
// needs: __opencl_c_subgroups
// global: 128
// local: 64
// arg: int out[128]
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out) {
    local int sums[8];
    uint l = get_local_id(0), own = get_sub_group_id();

    if (l < 8)
        sums[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sums[own], l);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sums[own ^ 1];
}
