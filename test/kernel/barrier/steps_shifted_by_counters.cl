// global: 64
// local: 32
// arg: int a[64] = i
// arg: int b[64] = 0
// expect: a = i / 32 * 32 * 8 + 164 - 8 * (i / 2 % 2 * 2 + i / 8 % 2 * 8)
// expect: b = i / 32 * 32 + 31 - i % 32
kernel void k(global int *a, global int *b) {
    local int s[32];
    int l = get_local_id(0), i = get_global_id(0), x;
    s[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int q = 0; q < 5; q++) { /* reverses: each round changes a bit of the place */
        x = s[l ^ (1 << q)];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    b[i] = x;
    for (int d = 1; d < 32; d *= 4) { /* sums of eight, whose places differ in three bits */
        x += s[l ^ d];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[i] = x;
}
