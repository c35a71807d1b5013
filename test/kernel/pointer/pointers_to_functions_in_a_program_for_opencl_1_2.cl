// options: -cl-std=CL1.2
// global: 512
// local: 64
// arg: int out[512]
// expect: out = i % 2 ? i + 1 : i - 1
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
int more(int x) { return x + 1; }
int less(int x) { return x - 1; }
kernel void k(global int *out) {
    int i = get_global_id(0);
    int (*f)(int) = i % 2 ? more : less;
    out[i] = f(i);
}
