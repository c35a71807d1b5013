// options: -cl-std=CL2.0
// global: 504
// needs: generic
// arg: int out[504]
// expect: out = i + 200
int get(int *p) {
    return *p;
}
kernel void k(global int *out) {
    int v = get_global_id(0) + __OPENCL_C_VERSION__;
    out[get_global_id(0)] = get(&v);
}
