// finds: out-of-bounds 12
// illegal: finishes
// global: 64
// local: 64
// arg: int n = 3
// arg: int out[64]
int last(const int *from, const int *to, int n) {
    int sum = 0;
    const int *p = to;
    for (int i = 0; i <= n; i++) {
        p--;
        sum += *p;
    }
    return sum;
}
kernel void k(int n, global int *out) {
    int a[3] = {1, 2, (int)get_local_id(0)};
    out[get_local_id(0)] = last(a, a + 3, n);
}
