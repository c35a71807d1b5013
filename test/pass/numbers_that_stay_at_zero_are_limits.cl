// Of `x == 0 ? 0 : x - 1` LLVM makes a saturating difference: the greatest of x and 1, less 1, of which packs know where it is a row.
// RUN: %weirc %s --local 64 --report text | FileCheck %s
// CHECK: load {{.*}}contiguous if in a row, else gather
// RUN: %weirc %s --local 64 --stop-after limits | FileCheck %s --check-prefix=LIMIT
// LIMIT: [[M:%[0-9]+]] = call i32 @llvm.umax.i32(i32 %{{[0-9]+}}, i32 1)
// LIMIT-NEXT: sub nuw i32 [[M]], 1
kernel void k(global const float *a, global float *out) {
    uint x = get_global_id(0);
    out[x] = a[x == 0 ? 0 : x - 1];
}
