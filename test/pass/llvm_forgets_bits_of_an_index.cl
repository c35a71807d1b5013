// A fault of LLVM's that post/vectorizer_off.c works around: without its mark the loop vectorizer reads a[l % 4] of four rounds as four
// elements in a row from a[0], a[4] ... on, because it assumes that another index doesn't wrap around. `& 3` of the first round is
// right, and the next three are a row only from there. Where this fails, that test there may go (docs/compiler.md, "Faults of LLVM").
// RUN: %weirc %s --kernel k --local 64 --width 1 --cpu x86-64-v4 --stop-after vectorizer-off -o - | sed s/noimplicitfloat// | opt-22 -passes='function(loop-simplify,lcssa,loop-vectorize)' -force-vector-width=8 -S | FileCheck %s
// CHECK: vector.body:
// CHECK: [[FEW:%[0-9]+]] = and i32 {{.*}}, 3
// CHECK: [[INDEX:%[0-9]+]] = zext nneg i32 [[FEW]] to i64
// CHECK: [[PLACE:%[0-9]+]] = getelementptr inbounds nuw i32, ptr addrspace(1) {{.*}}, i64 [[INDEX]]
// CHECK: load <8 x i32>, ptr addrspace(1) [[PLACE]]
kernel void k(global int *out, global int *seen, global const int *a) {
    uint i = get_global_linear_id();
    long l = get_local_id(0);
    int x = i + a[l % 4];
    seen[(ulong)i] = x;
    out[get_global_linear_id()] = x;
}
