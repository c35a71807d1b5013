// global: 504
// arg: int out[504]
// expect: out = i % 3 == 0 ? 2 * i : i % 3 == 1 ? i * i : i + i % S
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef int (*operation)(int);
int twice(int x) { return 2 * x; }
int square(int x) { return x * x; }
int add_id(int x) { return x + (int)get_local_id(0); }
kernel void k(global int *out) {
    int i = get_global_id(0);
    operation table[3] = {twice, square, add_id};
    operation chosen = table[i % 3];
    out[i] = chosen(i);
}
