// global: 504
// arg: int out[504]
// arg: int m = 4
// expect: out = i + 1
kernel void k(global int *out, int m) {
    size_t g = get_global_id(0);
    int r = g;
    if (m == 4)
        goto end;
    barrier(CLK_LOCAL_MEM_FENCE);
    r = -5;
end:
    out[g] = r + 1;
}
