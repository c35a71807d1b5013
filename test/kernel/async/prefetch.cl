// global: 504
// arg: int in[504] = i
// arg: int out[504]
// expect: out = i
kernel void k(global int *in, global int *out) {
    prefetch(in + get_global_id(0), 1);
    out[get_global_id(0)] = in[get_global_id(0)];
}
