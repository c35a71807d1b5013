// Steps in which few work-items have something to do, by bounds that all come to, that nobody comes to, or that some do.
// global: 192
// local: 96
// arg: int out[384]
// arg: int n = 3
// expect: out = i % 192 * 100 + (i % 192 < 24 ? 7 : 0) + (i % 192 == 191 ? 1 : 0) + (i % 192 == 50 ? 5 : 0)
kernel void k(global int *out, int n) {
    local int s[192], t[192];
    int l = get_local_id(0), base = get_group_id(0) * 192, last = 0;
    s[2 * l] = 2 * l * 100;
    s[2 * l + 1] = (2 * l + 1) * 100;
    t[2 * l] = t[2 * l + 1] = 0;
    for (int d = 48, step = 1; d; d /= 2, step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            t[step * (2 * l + 2) - 1] += t[step * (2 * l + 1) - 1] + step; // counts what is to its left
        if (d == 1 && l == 0)
            s[191] += 1; // once, in the last step
    }
    for (int r = 0; r < n; r++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (r == 1) {
            if (l < 24)
                s[l] += 7;
        } else if (r == 2) {
            if (l <= 50 && l >= 50)
                s[l] += 5;
        }
        if (t[0] > l) // nobody
            s[l] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * l] = s[2 * l];
    out[base + 2 * l + 1] = s[2 * l + 1] + (l == 95 && t[63] != 32 + 16 * 2 + 8 * 4 + 4 * 8 + 2 * 16 + 32);
}
