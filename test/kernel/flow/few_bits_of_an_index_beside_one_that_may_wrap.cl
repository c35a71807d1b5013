// (LLVM's vectorizer takes the two lowest bits of the index for the index where it asks whether another one wraps around.)
// global: 128
// local: 64
// arg: int out[128]
// arg: int seen[128]
// arg: int a[64] = i
// expect: out = i + i % 4
// expect: seen = i + i % 4
kernel void k(global int *out, global int *seen, global const int *a) {
    uint i = get_global_linear_id();
    long l = get_local_id(0);
    int x = i + a[l % 4];
    seen[(ulong)i] = x;
    out[get_global_linear_id()] = x;
}
