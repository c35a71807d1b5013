// global: 504
// arg: int out[504]
// expect: out = (i + 1) * 1000 + i
__attribute__((noinline)) void swap(int *a, int *b) {
    int t = *a;
    barrier(CLK_LOCAL_MEM_FENCE);
    *a = *b;
    barrier(CLK_LOCAL_MEM_FENCE);
    *b = t;
}
kernel void k(global int *out) {
    int a = get_global_id(0), b = a + 1;
    swap(&a, &b);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a * 1000 + b;
}
