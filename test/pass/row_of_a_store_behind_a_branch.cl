// The address of a load and a store is kept as its index, so that the store, too, finds out whether it is to a row.
// RUN: %weirc %s --width 8 --local 64 --cpu x86-64-v3 --stop-after promote | FileCheck %s
// CHECK-DAG: call void @llvm.masked.store.v8i32
// CHECK-DAG: select <8 x i1> %{{[0-9]+}}, <8 x ptr addrspace(1)>
kernel void k(global uint *a, uint n) {
    uint at = get_global_id(0) / n * n + get_local_id(0) % n;
    if (a[at] > 3)
        a[at] = 3;
}
