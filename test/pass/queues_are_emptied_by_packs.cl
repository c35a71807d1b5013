// A loop that takes numbers from a counter until there are no more has packs: nobody waits, and each lane gets on. Where one work-item's
// success is another one's retry, they run one by one.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK-LABEL: queue, local size
// CHECK-NEXT: width 16
// CHECK-NOT: 1: atomics
// CHECK-LABEL: sum, local size
// CHECK: 1: atomics or volatile loads decide
kernel void queue(global float *out, int n) {
    local int head;
    if (get_local_id(0) == 0)
        head = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i; (i = atomic_inc(&head)) < n;)
        for (int k = 0; k < i % 7; k++)
            out[i] = out[i] * 2 + 1;
}
kernel void sum(global int *sum, global int *x) {
    int old = *sum, seen;
    while ((seen = atomic_cmpxchg(sum, old, old * 3 + x[get_global_id(0)])) != old)
        old = seen;
}
