// options:
// global: 16
// local: 1 16
// arg: int out[16]
// expect: out = 120
kernel void k(global int *out) {
    out[get_global_id(0)] = __OPENCL_C_VERSION__;
}
