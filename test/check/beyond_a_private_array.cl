// finds: out-of-bounds 12
// illegal: finishes
// global: 64
// local: 64
// arg: int n = 9
// arg: int out[64]
kernel void k(int n, global int *out) {
    int a[8];
    size_t l = get_local_id(0);
    for (int i = 0; i < 8; i++)
        a[i] = i * (int)l;
    out[l] = a[n] + a[n & 7];
}
