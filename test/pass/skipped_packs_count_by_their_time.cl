// Two packs in step have to promise more where packs are skipped, as in the rounds of a tree: wider ones are skipped less. But that counts
// by the time that is spent so, and here nearly all of it is the loop before, whose rounds wait for one chain of shifts.
// RUN: %weirc %s --local 128 --cpu x86-64-v3 --report text | FileCheck %s
// CHECK: 16: about
kernel void drawn(global uint *o, int n) {
    local uint s[128];
    int l = get_local_id(0);
    uint x = get_global_id(0) * 2654435761u + 12345, c = 0;
    for (int i = 0; i < n; i++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        float a = (x >> 8) * 0x1p-24f;
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        float b = (x >> 8) * 0x1p-24f;
        c += a * a + b * b < 1;
    }
    s[l] = c;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 64; d; d >>= 1) {
        if (l < d)
            s[l] += s[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!l)
        o[get_group_id(0)] = s[0];
}
