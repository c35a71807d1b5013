// finds: sub-group-divergence 9 9
// needs: __opencl_c_subgroups
// illegal: finishes
// global: 64
// local: 32
// arg: int out[64]
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out) {
    out[get_global_id(0)] = sub_group_broadcast((int)get_global_id(0), get_local_id(0) & 3);
}
