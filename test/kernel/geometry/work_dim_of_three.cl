// global: 4,2,2
// local: none 1,1,1 4,2,2
// arg: int out[16]
// expect: out = 3
kernel void k(global int *out) {
    out[get_global_linear_id()] = get_work_dim();
}
