// A pack lies in one row: the rows that a condition leaves out are branched over, and what it says of lanes is known from
// the first and the last one.
// RUN: %weirc %s --width 16 --local 16,16 --cpu x86-64-v4 --stop-after regions | FileCheck %s
// CHECK-DAG: br i1 {{.*}}, label %some, label
// CHECK-DAG: br i1 %any{{[0-9]*}}, label %run, label %over
// CHECK-DAG: br i1 %all{{[0-9]*}}, label %full, label %part
kernel void k(global float *a, int n) {
    int x = get_local_id(0), y = get_local_id(1);
    if (y > n && x > n)
        a[16 * y + x] -= 1;
}
