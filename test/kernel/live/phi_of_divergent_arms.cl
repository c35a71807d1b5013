// global: 504
// arg: int out[504]
// expect: out = i % 3 == 0 ? i : i % 3 == 1 ? i * 2 : 7
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    int r;
    if (g % 3 == 0)
        r = g;
    else if (g % 3 == 1)
        r = g * 2;
    else
        r = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = r;
}
