// What lanes take as numbers, the addresses that each has computed, is a sum of numbers: of differences of vectors of pointers LLVM makes
// broken IR (post/pointer_numbers.c, llvm_breaks_comparisons_of_pointers.ll).
// RUN: %weirc %s --local 64 --width 16 --cpu x86-64-v4 --stop-after pointer-numbers | FileCheck %s
kernel void k(global const int *in, global ulong *out) {
    size_t i = get_global_id(0);
    out[i] = (ulong)(in + in[i]);
}
// CHECK-LABEL: @weir.k(
// CHECK: %[[PLACE:[0-9]+]] = mul <16 x i64> %{{.*}}, splat (i64 4)
// CHECK: %[[BASE:[0-9]+]] = ptrtoint ptr addrspace(1) %{{.*}} to i64
// CHECK: %[[BASES:.*]] = shufflevector <16 x i64> %{{.*}}, <16 x i64> poison, <16 x i32> zeroinitializer
// CHECK: add <16 x i64> %[[BASES]], %[[PLACE]]
// CHECK-NOT: ptrtoint <
