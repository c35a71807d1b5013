// global: 1008
// arg: int out[1008]
// expect: out = L
kernel void k(global int *out) {
    out[get_global_id(0)] = get_enqueued_local_size(0);
}
