// Work-items choose one of two conditions, the second as it is or its opposite; what comes to either place is of the way taken.
// global: 256
// local: 256 64 16 5
// arg: int k = 4
// arg: int out[256]
// arg: int exchanged[256]
// expect: out = (i / 4 % 2 ? (i % 3 < 2) : (i % 5 > 2)) ? (i / 4 % 2 ? 100 + i : 200 + i) : (i / 4 % 2 ? 300 + i * 2 : 400)
// expect: exchanged = (i / 4 % 2 ? i % 16 > 7 : i % 16 < 3) ? 2 * i : 1000 + i
kernel void k(int k, global int *out, global int *exchanged) {
    local int s[256], t[256];
    int l = get_local_id(0), g = get_global_id(0), value;
    if (g & k) {
        value = 100 + g;
        if (g % 3 < 2)
            goto first;
        value = 300 + g * 2;
        goto second;
    }
    if (g % 5 <= 2) {
        value = 400;
        goto second;
    }
    value = 200 + g;
first:
    s[l] = value;
    t[l] = 1;
    goto end;
second:
    s[l] = value;
    t[l] = 2;
end:
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = t[l] ? s[l] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = 1000 + g;
    t[l] = 2 * g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = s[l], y = t[l];
    if ((g & k) ? g % 16 > 7 : g % 16 < 3) {
        s[l] = y;
        t[l] = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    exchanged[g] = s[l];
}
