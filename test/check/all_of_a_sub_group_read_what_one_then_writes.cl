// finds: nothing
// needs: __opencl_c_subgroups
// global: 64
// local: 64
// arg: int out[64] = 0
// expect: out = i % 8 == 0 ? 7 : 0
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out) {
    size_t first = get_local_id(0) / 8 * 8;
    for (int i = 0; i < 7; i++) {
        int x = out[first];
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_sub_group_local_id() == i)
            out[first] = x + 1;
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
