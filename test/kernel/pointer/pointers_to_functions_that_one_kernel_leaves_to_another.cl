// kernel: choose k
// global: 504
// arg: int out[504]
// arg: ulong chosen[504]
// expect: out = i % 4 == 3 ? -1 : i % 4 * 10 + i
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef int (*operation)(int);
int first(int x) { return x; }
int second(int x) { return x + 10; }
int third(int x) { return x + 20; }
kernel void choose(global int *out, global void *to) {
    global operation *chosen = to;
    size_t i = get_global_id(0);
    chosen[i] = i % 4 == 0 ? first : i % 4 == 1 ? second : i % 4 == 2 ? third : 0;
}
kernel void k(global int *out, global void *from) {
    global operation *chosen = from;
    size_t i = get_global_id(0);
    out[i] = chosen[i] ? chosen[i](i) : -1;
}
