// finds: nothing
// global: 64
// local: 64
// arg: int out[64] = i
// expect: out = i % 3 == 0 ? 2 * i : i % 3 == 1 ? i + 1 : i
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef int change(int);
int twice(int x) { return 2 * x; }
int next(int x) { return x + 1; }
kernel void k(global int *out) {
    int l = get_local_id(0);
    change *by[] = {twice, next, 0};
    change *one = by[l % 3];
    if (one)
        out[l] = one(l);
}
