// global: 504
// arg: int out[504]
// arg: null
// arg: int in[504] = i
// expect: out = i
kernel void k(global int *out, global int *maybe, global int *in) {
    size_t g = get_global_id(0);
    if (maybe)
        out[g] = maybe[g];
    else
        out[g] = in[g];
}
