// global: 16
// arg: int out[16]
// expect: out = 1
kernel void k(global int *out) {
    out[get_global_id(0)] = get_work_dim();
}
