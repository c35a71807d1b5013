// The stack has no room for it, of whatever thread, nor for a struct that is passed by value.
// global: 12
// local: 1 2 4
// arg: int out[12]
// arg: int n = 3
// expect: out = 7680 + i * 1536
typedef struct {
    char bytes[12 << 20];
} large;
__attribute__((noinline)) int sum(int n, global int *out) {
    char a[12 << 20];
    int s = 0;
    for (int i = 0; i < (12 << 20); i += 4096)
        a[i] = (char)(i / 4096 % 2 + n - 1 + (*out & 1));
    for (int i = 0; i < (12 << 20); i += 4096)
        s += a[i + (*out & 1)];
    return s;
}
__attribute__((noinline)) int total(large b, int at) {
    int s = 0;
    for (int i = 0; i < (12 << 20); i += 4096 * 2)
        s += b.bytes[i + at];
    return s;
}
kernel void k(global int *out, int n) {
    large b;
    int g = get_global_id(0);
    for (int i = 0; i < (12 << 20); i += 4096)
        b.bytes[i] = (char)g;
    out[g] = 0;
    int s = sum(n, out + g);
    out[g] = s + total(b, out[g]);
}
