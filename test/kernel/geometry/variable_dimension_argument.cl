// global: 12,10,6
// arg: int dims[3] = i
// arg: int out[720]
// expect: out = i
kernel void k(global int *dims, global int *out) {
    size_t at = 0;
    for (int d = 2; d >= 0; d--)
        at = at * get_global_size(dims[d]) + get_global_id(dims[d]);
    out[at] = at;
}
