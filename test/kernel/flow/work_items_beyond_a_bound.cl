// Work-items that a bound leaves out have no effect, and those that it lets in all have theirs: whatever compares, for
// bounds below zero and above the size, for several bounds in a row and in one condition.
// global: 504
// local: any
// arg: int wrong[504]
// arg: int bounds[8] = -3, 0, 1, 3, 8, 9, 20, 1000
// expect: wrong = 0
kernel void k(global int *wrong, global const int *bounds) {
    local int s[504];
    int l = get_local_id(0), n = get_local_size(0), bad = 0;
    for (int i = 0; i < 8; i++) {
        int b = bounds[i];
        s[l] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < b)
            s[l] += 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (b >= l)
            s[l] += 10;
        if (l == b - 2)
            s[l] += 100;
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((uint)l < (uint)b && l % 2)
            s[l] += 1000;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l > b)
            ;
        else
            s[l] += 10000;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int m = 0; m < n; m++) {
            int want = (m < b) + 10 * (b >= m) + 100 * (m == b - 2) + 1000 * ((b < 0 || m < b) && m % 2) + 10000 * (m <= b);
            bad += s[m] != want;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    wrong[get_global_id(0)] = bad;
}
