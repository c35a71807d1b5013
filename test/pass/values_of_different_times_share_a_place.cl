// Values that live across different barriers have one place in the context.
// RUN: %weirc %s --local 256 --width 16 --report text -o - | FileCheck %s
// CHECK: context{{ +}}4 bytes per work-item
kernel void k(global float *a, local float *s) {
    uint l = get_local_id(0);
    float x = a[get_global_id(0)];
    s[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    float y = s[l ^ 1] - s[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = y;
    barrier(CLK_LOCAL_MEM_FENCE);
    float z = s[l ^ 2] * s[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = z;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = s[l ^ 4];
}
