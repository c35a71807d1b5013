// finds: nothing
// needs: __opencl_c_subgroups
// global: 96
// local: 48
// arg: int out[96]
// arg: local tile[192]
// expect: out = F + (i - F) / 8 * 8 + 7 - (i - F) % 8 + 1 + F + (i - F) / 8 * 8
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out, local int *tile) {
    size_t l = get_local_id(0), first = l / 8 * 8, mirror = first + 7 - l % 8;
    tile[l] = get_global_id(0);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    int x = tile[mirror], y = tile[first];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    tile[mirror] = x + 1;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[mirror] + y;
}
