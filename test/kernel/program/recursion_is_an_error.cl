// build-error: recurs
int f(int n) {
    return n ? n * f(n - 1) : 1;
}
kernel void k(global int *out) {
    out[0] = f(out[1]);
}
