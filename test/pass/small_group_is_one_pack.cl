// A small work-group whose work-items go the same way is one pack, wider than the registers: what they exchange through
// local memory stays in registers, and nothing in the loop touches memory.
// RUN: %weirc %s --kernel k --local 16,1,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s
// CHECK: = phi <16 x i32>
// CHECK-NOT: store
// CHECK: shufflevector <16 x i32>
// CHECK-NOT: load
// CHECK: br i1
kernel void k(global int *p, int n) {
    local int shared[16];
    size_t l = get_local_id(0);
    int x = p[l];
    for (int i = 0; i < n; i++) {
        shared[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = x * 3 + shared[(l + 1) % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    p[l] = x;
}
