// finds: sub-group-divergence 12
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
// arg: int n = 61
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out, int n) {
    int x = 0;
    for (int i = 0; i <= get_sub_group_local_id() / 4; i++)
        x += sub_group_broadcast(i, 0);
    out[get_global_id(0)] = x;
}
