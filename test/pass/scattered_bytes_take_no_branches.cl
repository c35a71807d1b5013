// Processors gather and scatter no elements of less than 32 bits: of LLVM's intrinsics for those it would make a branch
// per lane.
// RUN: %weirc %s --width 16 --local 64 --cpu x86-64-v4 --emit ll | FileCheck %s
// CHECK-NOT: {{gather|scatter}}.v16i{{8|16}}
// CHECK: llvm.masked.scatter.v16i32
kernel void k(global const int *at, global uchar *bytes, global ushort *shorts, global int *ints) {
    size_t g = get_global_id(0);
    int i = at[g];
    if (i >= 0) {
        bytes[i] = bytes[2 * i] + 1;
        shorts[i] = shorts[2 * i] + 1;
        ints[i] = ints[2 * i] + 1;
    }
}
