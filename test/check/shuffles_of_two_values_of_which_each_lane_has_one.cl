// finds: nothing
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int in[64] = i
// arg: int out[64]
// expect: out = i % 8 + 3 < 8 ? i + 3 : i + 3 - 8 + 100
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global const int *in, global int *out) {
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = intel_sub_group_shuffle_down(x, x + 100, 3);
}
