// finds: nothing
// global: 64
// local: 64
// needs: __opencl_c_subgroups
// arg: int out[64]
kernel __attribute__((intel_reqd_sub_group_size(8))) void k(global int *out) {
    local int t[64];
    int l = get_local_id(0), lane = l & 7, first = l - lane, x = lane;
    for (int i = 0; i < 3; i++) {
        t[l] = x;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        for (int n = 0; n < 8; n++)
            x += t[first + n];
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        t[first + 7 - lane] = x;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        x = t[l];
    }
    out[l] = x;
}
