// Whether a place is inside on all sides is asked of each id, whose lanes lie in a range, not of the bits of several.
// RUN: %weirc %s --width 16 --local 16,16 --stop-after joined-tests | FileCheck %s
// CHECK-NOT: or i32
// CHECK-COUNT-2: icmp sgt i32 {{.*}}, -1
// CHECK-NOT: or i32
// CHECK: icmp eq i32 {{.*}}, 0
// CHECK-NOT: or i32
kernel void k(global int *a, int n, int m) {
    int x = get_global_id(0) - m, y = get_global_id(1) - n;
    if (x >= 0 && y >= 0)
        a[y * 100 + x] = 1;
    if (get_local_id(0) == 0 && get_local_id(1) == 0)
        a[0] = 2;
}
