// global: 504
// arg: int out[504]
// expect: out = sum(a, 0, 4, a + (F + (i - F + 1) % S) % 3)
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int sum = 0;
    for (int a = 0; a < 4; a++) {
        int r = a;
        for (int b = 0; b < g % 3; b++)
            r++;
        s[l] = r;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum;
}
