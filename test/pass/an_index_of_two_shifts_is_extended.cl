// A counter of 32 bits that LLVM makes one of 64 bits is an index of 32 again where it is one: within a buffer it wraps around between
// no two lanes, so it is a row.
// RUN: %weirc %s --local 64 --stop-after object-indices | FileCheck %s
// RUN: %weirc %s --local 64 --report text | FileCheck %s --check-prefix=REPORT
// CHECK: trunc i64
// CHECK-NEXT: sext i32
// REPORT: load  global float  contiguous
// REPORT-NOT: gather
kernel void k(global const float *a, global const int *first, global float *b) {
    local float p[512];
    int t = get_local_id(0), s = first[0], e = first[1];
    for (int at = s; at < e; at += 512) {
        for (int i = t; i < 512 && at + i < e; i += 64)
            p[i] = a[at + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        b[t] += p[t ^ 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
