// global: 64
// local: 16
// arg: int m[256] = i
// arg: int out[64]
// expect: out = i % 4 * 64 + i
// LLVM reads once, after the loop; all its places are looked at.
kernel void k(global const int *m, global int *out) {
    int i = get_global_id(0), round = 0, value;
    do {
        value = m[round * 64 + i];
    } while (++round <= i % 4);
    out[i] = value;
}
