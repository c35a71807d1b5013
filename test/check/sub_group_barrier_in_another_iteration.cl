// finds: sub-group-divergence 14 14
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
// arg: int n = 3
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out, int n) {
    int late = get_sub_group_local_id() < n;
    for (int i = 0; i < 5; i++) {
        if (i >= late && i < 4 + late) {
            out[get_global_id(0)] += i;
            sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        }
    }
}
