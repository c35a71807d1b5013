// An index wraps around within the only pack of a row before its remainder is taken: elements lie in two rows, and the compiler knows that.
// global: 64
// local: 4 8 16 32 64
// arg: int in[1000] = 3 * i
// arg: int out[64]
// expect: out = 3 * (i % L < 3 ? 293 + i % L : i % L - 3)
kernel void k(global const int *in, global int *out) {
    uint l = get_local_id(0);
    out[get_global_id(0)] = in[(l - 3) % 1000];
}
