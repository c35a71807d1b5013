// finds: data-race 16 13, data-race 17 13
// global: 64
// local: 64
// needs: __opencl_c_subgroups
// arg: int out[64]
// Their barriers order what the sub-group does itself: the first element of the row, and one of the places that all of it read,
// is of the one before.
kernel __attribute__((intel_reqd_sub_group_size(8))) void k(global int *out) {
    local int t[65];
    int l = get_local_id(0), first = l & ~7, sum = 0;
    t[l] = t[64] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l + 1] = l;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 2; i++) {
        sum += t[l + 1 - i];
        sum += t[max(first + 1 - 8 * i, 0)];
    }
    out[l] = sum;
}
