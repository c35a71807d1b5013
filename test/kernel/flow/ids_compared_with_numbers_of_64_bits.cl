// An id, and what is left of a number behind it, below and above numbers of 64 bits.
// global: 504
// arg: int out[504]
// arg: long far[10] = i == 0 ? -4294967296 : i == 1 ? -1 : i == 2 ? 0 : i == 3 ? 1 : i == 4 ? 17 : i == 5 ? 100 : i == 6 ? 2147483647 : i == 7 ? 2147483648 : i == 8 ? 4294967296 : 4294967297
// arg: int n = 10
// arg: int left[504]
// expect: left = (100 - i > -4294967296) + (100 - i > -1) + (100 - i > 0) + (100 - i > 1) + (100 - i > 17) + 100 * (10 - (100 - i >= -4294967296) - (100 - i >= -1) - (100 - i >= 0) - (100 - i >= 1) - (100 - i >= 17) - (100 - i >= 100))
// expect: out = 1 + 2 + (i > 0) + (i > 1) + (i > 17) + (i > 100) + 100 * ((i < 1) + (i < 17) + (i < 100) + 4)
kernel void k(global int *out, global const long *far, int n, global int *left) {
    int i = get_global_id(0);
    int above = 0, below = 0, left_above = 0, left_below = 0;
    for (int j = 0; j < n; j++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((long)i > far[j])
            above++;
        if ((long)i < far[j])
            below++;
        if ((long)(100 - i) > far[j])
            left_above++;
        if ((long)(100 - i) < far[j])
            left_below++;
    }
    out[i] = above + 100 * below + 1;
    left[i] = left_above + 100 * left_below;
}
