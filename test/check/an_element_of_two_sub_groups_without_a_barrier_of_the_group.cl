// finds: data-race 10 14, data-race 12 10
// global: 32
// local: 32
// needs: __opencl_c_subgroups
// arg: int out[32]
kernel __attribute__((intel_reqd_sub_group_size(8))) void k(global int *out) {
    local int t[33];
    int l = get_local_id(0), sum = 0;

    t[l] = 320 + l;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    sum += t[l];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    t[l + 1] = sum;
    out[l] = sum;
}
