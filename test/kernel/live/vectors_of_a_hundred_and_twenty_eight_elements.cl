// global: 64
// local: 1 8 16 64
// arg: int out[8192] = -1
// arg: int in[8192] = i * 7
// expect: out = (i / 128) % 3 == 1 ? i * 7 / (i / 128 % 5 + 1) : -1
typedef int int128 __attribute__((ext_vector_type(128)));
kernel void k(global int128 *out, global const int128 *in) {
    uint g = get_global_id(0);
    if (g % 3 == 1)
        out[g] = in[g] / (int128)((int)(g % 5) + 1);
}
