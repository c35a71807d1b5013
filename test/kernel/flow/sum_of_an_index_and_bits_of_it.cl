// (LLVM's vectorizer takes the two lowest bits of the index for the index.)
// global: 256
// local: 256
// arg: int out[256]
// arg: int a[512] = i
// expect: out = i + 2 * (i % 4)
kernel void k(global int *out, global const int *a) {
    uchar l = get_local_id(0);
    out[l] = a[((l & 3) << 1) + rotate((int)l, 256)];
}
