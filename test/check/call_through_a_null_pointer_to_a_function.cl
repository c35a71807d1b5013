// finds: null-access 14
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef int change(int);
int twice(int x) { return 2 * x; }
int next(int x) { return x + 1; }
kernel void k(global int *out) {
    int l = get_local_id(0);
    change *by[] = {twice, next, 0};
    if (l < 60 || l % 3)
        out[l] = by[l % 3](l);
}
