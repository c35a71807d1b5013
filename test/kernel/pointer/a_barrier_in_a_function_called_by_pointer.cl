// global: 504
// arg: int out[504]
// arg: int n = 5
// expect: out = F + (i - F + 5) % S
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef int (*step)(local int *, int);
int next(local int *s, int x) {
    s[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = s[(get_local_id(0) + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return x;
}
int stay(local int *s, int x) { return x; }
kernel void k(global int *out, int n) {
    local int s[1024];
    int x = get_global_id(0);
    for (int j = 0; j < 2 * n; j++) {
        step f = j & 1 ? next : stay;
        x = f(s, x);
    }
    out[get_global_id(0)] = x;
}
