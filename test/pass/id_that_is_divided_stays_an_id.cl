// What makes a signed division safe doesn't hide that its dividend is an id: the store lies in a row.
// RUN: %weirc %s --width 16 --local 64 --stop-after values | FileCheck %s
// CHECK-NOT: freeze i32
// CHECK: sdiv
// RUN: %weirc %s --width 16 --local 64 --report text | FileCheck %s --check-prefix=ROW
// ROW: store global int contiguous{{(, x2)?$}}
// ROW: store global int contiguous{{(, x2)?$}}
kernel void k(global int *a, global int *b, int n) {
    int i = get_global_id(0);
    a[i] = i / n + i % n;
    b[i] = n;
}
