// A work-group's sum is kept by lane: its packs add vectors, and their elements are joined once.
// RUN: %weirc %s --options -cl-std=CL3.0 --local 1024 --cpu x86-64-v4 --width 16 --stop-after promote | FileCheck %s
// CHECK: phi <16 x i32>
// CHECK: add <16 x i32>
// CHECK: call i32 @llvm.vector.reduce.add.v16i32
// CHECK-NOT: call i32 @llvm.vector.reduce.add.v16i32
kernel void k(global const int *a, global int *o) {
    int sum = work_group_reduce_add(a[get_global_id(0)]);
    if (get_local_id(0) == 0)
        o[get_group_id(0)] = sum;
}
