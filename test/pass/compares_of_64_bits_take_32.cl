// A loop's counter that is compared with an id: what was extended from 32 bits is compared as it was, with what lies within 32 bits of
// the counter.
// RUN: %weirc %s --kernel extended --width 16 --local 64 --stop-after promote | FileCheck %s
// CHECK-NOT: icmp {{.*}} <16 x i64>
// CHECK: icmp s{{[a-z]*}} <16 x i32>
// CHECK-NOT: icmp {{.*}} <16 x i64>
kernel void extended(global float *a, local float *t, int n) {
    int l = get_local_id(0);
    t[l] = a[l];
    for (int r = 1; r < n; r++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l >= r)
            t[l] += a[r * 64 + l];
    }
    a[l] = t[l];
}
// Of equal numbers by how far lanes are from the first, in 32 bits.
// RUN: %weirc %s --kernel steps --width 16 --local 64 --stop-after promote | FileCheck %s --check-prefix=STEPS
// STEPS-NOT: icmp {{.*}} <16 x i64>
// STEPS: icmp eq <16 x i32>
// STEPS-NOT: icmp {{.*}} <16 x i64>
kernel void steps(global long *a, long n) {
    long i = get_global_id(0);
    a[i] = i == n;
}
// So is what is left of a constant behind an id.
// RUN: %weirc %s --kernel left_behind --width 16 --local 64 --stop-after promote | FileCheck %s --check-prefix=LEFT
// LEFT-NOT: icmp {{.*}} <16 x i64>
// LEFT-NOT: icmp u{{[a-z]*}} <16 x i32>
// LEFT: icmp sgt <16 x i32>
// LEFT-NOT: icmp {{.*}} <16 x i64>
kernel void left_behind(global long *a, long n) {
    int l = get_local_id(0);
    a[l] = 20 - l > n;
}
