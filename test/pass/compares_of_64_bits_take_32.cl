// A loop's counter that is compared with an id: by how far lanes are from the first, in 32 bits.
// RUN: %weirc %s --width 16 --local 64 --stop-after promote | FileCheck %s
// CHECK-NOT: icmp {{.*}} <16 x i64>
// CHECK: icmp u{{[a-z]*}} <16 x i32>
// CHECK-NOT: icmp {{.*}} <16 x i64>
kernel void k(global float *a, local float *t, int n) {
    int l = get_local_id(0);
    t[l] = a[l];
    for (int r = 1; r < n; r++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l >= r)
            t[l] += a[r * 64 + l];
    }
    a[l] = t[l];
}
