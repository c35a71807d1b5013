// global: 504
// arg: int out[504]
// arg: int m = 3
// expect: out = F + (i - F + 2 * 5 + 4) % S
kernel void k(global int *out, int m) {
    local int s[512];
    size_t l = get_local_id(0), n = get_local_size(0);
    int r = get_global_id(0);
    for (int a = 0; a < 10; a++)
        for (int b = 0; b < 5; b++) {
            s[l] = r;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (a + 1 == m && b == 4)
                goto done;
            r = s[(l + 1) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
done:
    out[get_global_id(0)] = r;
}
