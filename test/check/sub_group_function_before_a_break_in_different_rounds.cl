// finds: sub-group-divergence 14 14
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
// arg: int n = 3
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out, int n) {
    int last = get_sub_group_local_id() / n, sum = 0;
    for (int i = 0;; i++) {
        if (i < last)
            continue;
        sum = sub_group_reduce_add(1); // all come to it, but not together
        break;
    }
    out[get_global_id(0)] = sum;
}
