// global: 12,10,6
// arg: int out[720]
// expect: out = i * 2
kernel void k(global int *out) {
    size_t at = get_global_linear_id();
    size_t local_linear =
        (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    out[at] = at + (get_local_linear_id() == local_linear ? at : 0);
}
