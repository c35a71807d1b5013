// An id divided by a number that the pack shares: one quotient, and from some lane on one more. Also of 64 bits.
// RUN: %weirc %s --width 16 --local 64 --cpu x86-64-v3 --stop-after promote | FileCheck %s
// CHECK-DAG: fptoui double %{{.*}} to i32
// CHECK-DAG: udiv i64
// CHECK-DAG: select <16 x i1>
// CHECK-DAG: load i32, ptr addrspace(1)
kernel void k(global const int *rows, global int *out, uint n, ulong m) {
    size_t g = get_global_id(0);
    out[g] = rows[(uint)g / n] + (uint)(g / m);
}
