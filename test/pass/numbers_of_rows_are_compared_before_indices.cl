// Whether all lanes read one place tells the number of their row, in 32 bits; nobody computes an index of 64 bits for each.
// RUN: %weirc %s --kernel k --width 16 --local 256 --cpu x86-64-v4 --stop-after regions | FileCheck %s
// CHECK-LABEL: divided{{.*}}:
// CHECK: icmp ne <16 x i32>
// CHECK-NOT: icmp ne <16 x i64>
// CHECK: one.place
kernel void k(global uint *out, global const uint *totals, uint block) {
    uint i = get_global_id(0), b = i / block;
    out[i] += totals[b + 3];
}
