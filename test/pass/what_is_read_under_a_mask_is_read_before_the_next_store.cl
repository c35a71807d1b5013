// LLVM would make one load of the masked load and the select that takes it, behind the store.
// RUN: %weirc %s --width 8 --cpu x86-64-v3 --local 64 --stop-after optimize | FileCheck %s
// RUN: %weirc %s --width 16 --cpu x86-64-v4 --local 64 --stop-after optimize | FileCheck %s
// CHECK-NOT: masked.store{{.*}}(
// CHECK: call <{{8|16}} x i32> @llvm.masked.load
// CHECK: call void @llvm.masked.store
kernel void k(global int *a, global int *o, global const int *c) {
    int i = get_global_id(0), old = -1;
    if (c[i] & 1) {
        old = a[i];
        a[i] = i + 1000;
    }
    o[i] = old;
}
