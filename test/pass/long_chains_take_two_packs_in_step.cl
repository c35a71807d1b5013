// Each round waits for one long chain of values: two packs in step wait for theirs at the same time.
// RUN: %weirc %s --local 128 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK: 32: about
kernel void k(global float *out, int n) {
    local float t[128];
    int l = get_local_id(0), g = get_global_id(0);
    uint s = g * 2654435761u;
    float p = 1, sum = 0;
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        p *= exp(0.02f * cos(p) + 0.02f * sqrt(-2 * log(((s >> 9) + 1) * (1.f / 8388609))));
        sum += p;
    }
    t[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 64; i; i /= 2) {
        if (l < i)
            t[l] += t[l + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!l)
        out[get_group_id(0)] = t[0];
}
