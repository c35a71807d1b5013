// The third round overwrites what the second one still reads, if no barrier ends a round of an even number.
// finds: data-race 16 16
// local: 32
// global: 32
// arg: int n = 3
// arg: int out[32] = 0
kernel void k(int n, global int *out) {
    local int a[32], b[32];
    local int *now = a, *next = b;
    int l = get_local_id(0);
    a[l] = l;
    b[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        int from = i == 2 ? l : (l + 1) & 31;
        next[l] += now[from];
        if (i != 1)
            barrier(CLK_LOCAL_MEM_FENCE);
        local int *t = now;
        now = next;
        next = t;
    }
    out[l] = now[l];
}
