// global: 504
// arg: int out[504]
// illegal: finishes
__attribute__((noinline)) int helper(int v) {
    if (v % 3 == 0)
        return 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    return v;
}
kernel void k(global int *out) {
    int g = get_global_id(0);
    out[g] = g % 2 ? helper(g) : 0;
}
