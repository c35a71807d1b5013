// finds: uninitialized-read 9 11
// global: 64
// local: 32
// arg: int in[64] = i
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int t[32];
    size_t l = get_local_id(0);
    int before = t[l];
    t[l] = in[l];
    out[get_global_id(0)] = t[l] + before;
}
