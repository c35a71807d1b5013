// global: 504
// arg: int out[504]
// expect: out = i % 2 ? i % 100 - 50 + 3 * i : i % 100 - 50 - i
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef struct { int at[9]; } numbers;
typedef numbers (*operation)(numbers, char);
__attribute__((noinline)) numbers sum(numbers n, char c) {
    n.at[8] = c + 3 * n.at[4];
    return n;
}
__attribute__((noinline)) numbers difference(numbers n, char c) {
    n.at[8] = c - n.at[4];
    return n;
}
kernel void k(global int *out) {
    int i = get_global_id(0);
    operation f = i % 2 ? sum : difference;
    numbers n;
    n.at[4] = i;
    numbers r = f(n, i % 100 - 50);
    out[i] = r.at[8];
}
