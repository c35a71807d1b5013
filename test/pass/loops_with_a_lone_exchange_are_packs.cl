// A loop that tries one compare-and-exchange until it succeeds, at a place that work-items choose, is run by packs: the first lane at each
// place gets on with each round. One by one they run where all want one place; where a loop has two exchanges, of which each lane may
// take one and give it back for ever; and where they wait for each other.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK-LABEL: apart, local size
// CHECK-NOT: 1: atomics
// CHECK-LABEL: pushed, local size
// CHECK-NOT: 1: atomics
// CHECK-LABEL: together, local size
// CHECK: 1: atomics or volatile loads decide
// CHECK-LABEL: two, local size
// CHECK: 1: atomics or volatile loads decide
// CHECK-LABEL: locked, local size
// CHECK: 1: work-items may wait for each other
kernel void apart(global int *sums, global const int *x) {
    int i = get_global_id(0), old = sums[x[i] & 1023], seen;
    while ((seen = atomic_cmpxchg(&sums[x[i] & 1023], old, old * 3 + x[i])) != old)
        old = seen;
}
kernel void pushed(global int *heads, global int *next, global const int *x) {
    int i = get_global_id(0), h = x[i] & 63, old;
    do {
        old = *(volatile global int *)&heads[h];
        next[i] = old;
    } while (atomic_cmpxchg(&heads[h], old, i) != old);
}
kernel void together(global int *sums, global const int *x) {
    int i = get_global_id(0), old = sums[0], seen;
    while ((seen = atomic_cmpxchg(&sums[0], old, old * 3 + x[i])) != old)
        old = seen;
}
kernel void two(global int *a, global const int *x) {
    int i = get_global_id(0);
    for (;;) {
        int old = *(volatile global int *)&a[x[i]];
        if (atomic_cmpxchg(&a[x[i]], old, old + 1) != old)
            continue;
        old = *(volatile global int *)&a[x[i] + 64];
        if (atomic_cmpxchg(&a[x[i] + 64], old, old + 1) == old)
            break;
    }
}
kernel void locked(global int *locks, global int *a, global const int *x) {
    int i = get_global_id(0);
    while (atomic_cmpxchg(&locks[x[i]], 0, 1))
        ;
    a[x[i]] += i;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&locks[x[i]], 0);
}
