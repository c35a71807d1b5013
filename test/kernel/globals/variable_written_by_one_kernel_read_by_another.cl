// kernel: put get
// global: 504
// needs: globals
// arg: int out[504]
// expect: out = 503 - i
global int shared_by_kernels[504];
kernel void put(global int *out) {
    shared_by_kernels[get_global_id(0)] = get_global_id(0);
}
kernel void get(global int *out) {
    out[get_global_id(0)] = shared_by_kernels[503 - get_global_id(0)];
}
