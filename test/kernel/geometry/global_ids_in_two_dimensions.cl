// global: 60,35
// local: none any 60,1 1,35
// arg: int out[2100]
// expect: out = i
kernel void k(global int *out) {
    size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[at] = at;
}
