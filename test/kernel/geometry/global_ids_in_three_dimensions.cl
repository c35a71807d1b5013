// global: 15,9,14
// local: none any 15,9,14 15,1,1
// arg: int out[1890]
// expect: out = i
kernel void k(global int *out) {
    size_t at = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    out[at] = at;
}
