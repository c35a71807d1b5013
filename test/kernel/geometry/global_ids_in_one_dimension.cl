// global: 1008
// local: none any 5 11 1000
// arg: int out[1008]
// expect: out = i
kernel void k(global int *out) {
    out[get_global_id(0)] = get_global_id(0);
}
