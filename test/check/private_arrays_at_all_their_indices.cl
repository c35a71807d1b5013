// finds: nothing
// global: 64
// local: 64
// arg: int n = 8
// arg: int out[64]
// expect: out = 28 + i + 3 + 5
constant int table[4] = {1, 2, 3, 5};
int sum(const int *p, int n) {
    int s = 0;
    for (const int *q = p; q != p + n; q++)
        s += *q;
    return s;
}
kernel void k(int n, global int *out) {
    int a[8], b[2][3] = {{0}};
    char bytes[4] = {0, 1, 2, 3};
    int *chosen = n > 4 ? a : b[0];
    for (int i = 0; i < n; i++)
        chosen[i] = i;
    b[n - 7][n - 6] = (int)get_local_id(0);
    out[get_local_id(0)] = sum(a, n) + b[1][2] + bytes[n - 5] + table[n - 5];
}
