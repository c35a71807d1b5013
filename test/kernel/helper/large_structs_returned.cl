// A work-item's large structs, returned by functions, in loops and branches, with barriers between; the parts of one stay as they were
// where another one is made.
// global: 504
// arg: int out[504]
// expect: out = 5 * i + 12 + (F + (i - F + 1) % S)
typedef struct {
    int m[40];
    char c;
    int16 v;
    struct {
        int n[20];
    } inner;
} S;
S filled(int x) {
    S s;
    for (int i = 0; i < 40; i++)
        s.m[i] = x + i;
    for (int i = 0; i < 20; i++)
        s.inner.n[i] = x * i;
    s.v = (int16)(x);
    s.c = (char)x;
    return s;
}
S more(S s, int by) {
    for (int i = 0; i < 40; i++)
        s.m[i] += by;
    s.v.s7 += by;
    if (by == 2)
        return s;
    s.inner.n[by] = by;
    return s;
}
S exchanged(S s, local int *t) {
    size_t l = get_local_id(0);
    t[l] = s.m[0] - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    S other = filled(t[(l + 1) % get_local_size(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    return other;
}
kernel void k(global int *out) {
    local int t[512];
    int g = get_global_id(0);
    S s = filled(g), first = s, last;
    for (int i = 0; i < 3; i++) {
        last = s;
        s = more(s, i);                     /* m + 3, v.s7 + 3, inner.n: 0, 1, as it was */
    }
    S next = exchanged(more(first, 1), t);  /* of the neighbour's id */
    if (g & 1)
        last = more(last, 7);               /* m + 7: here or there */
    else
        last = more(last, 3);
    int from_last = last.m[5] - 5 - g;      /* 1 + 7, 1 + 3 */
    out[g] = s.m[9] - 9 + s.v.s7 + s.inner.n[1] + first.m[3] - 3 + (char)first.c - (char)g + last.v.s6 +
             (from_last == ((g & 1) ? 8 : 4)) + (last.inner.n[7] == ((g & 1) ? 7 : 7 * g)) + s.inner.n[2] - g + next.v.s0 + 1 +
             (next.inner.n[2] == 2 * next.v.s1) + (next.c == (char)next.m[0]);
}
