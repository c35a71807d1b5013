// finds: nothing
// needs: __opencl_c_subgroups
// global: 60
// local: 20
// arg: int out[60]
// expect: out = F + 8 * ((i - F) / 8) + 7 - 4 * ((i - F) / 16)
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out) {
    out[get_global_id(0)] = sub_group_broadcast((int)get_global_id(0), get_sub_group_size() - 1);
}
