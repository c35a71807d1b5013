// Butterflies, exchanges, padded rows, pairs that share an element, and falling rows, with steps that only the run tells.
// global: 128
// local: 64
// arg: int out[128]
// arg: int steps = 7
// expect: out = 1
kernel void k(global int *out, int steps) {
    local int s[160], t[160];
    int l = get_local_id(0), right = 1;
    for (int n = 0, j = 1; n < steps; n++, j *= 2) {
        int low = 2 * l - (l & (j - 1)), padded = l / j * (j + 1) + l % j, swapped = l ^ j & 63;
        for (int i = l; i < 160; i += 64)
            s[i] = 1000 * n + i, t[i] = -1;
        barrier(CLK_LOCAL_MEM_FENCE);
        right &= s[low] == 1000 * n + low && s[low + j] == 1000 * n + low + j; // a butterfly's two
        right &= s[padded] == 1000 * n + padded && s[63 - (l & ~j)] == 1000 * n + 63 - (l & ~j);
        if (l % 3) {
            t[low] = l;
            t[low + j] = -l;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        right &= t[low] == (l % 3 ? l : -1) && t[low + j] == (l % 3 ? -l : -1);
        barrier(CLK_LOCAL_MEM_FENCE);
        t[padded + 1] = l; // elements between are left as they are
        s[swapped] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
        right &= t[padded + 1] == l && s[l] == (l ^ j & 63);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l & j & 63)
            t[l / 2 + 80] = l | 1; // pairs store the same
        s[63 - l] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
        right &= s[l] == 63 - l && (!(l & j & 63) || t[l / 2 + 80] == (l | 1));
        if (l == 5)
            right &= s[64] == 1000 * n + 64 && s[159] == 1000 * n + 159;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = right;
}
