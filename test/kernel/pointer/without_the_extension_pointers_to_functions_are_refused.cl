// build-error: hint: .*EXTENSION __cl_clang_function_pointers
int twice(int x) { return 2 * x; }
kernel void k(global int *out) {
    int (*f)(int) = twice;
    out[0] = f(1);
}
