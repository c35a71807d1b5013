// A step of a merge compares s[p - 4] with s[p], where p skips every other four elements and the first four lanes may be off. An
// index into a local array isn't negative, so nobody looks whether one wraps around; both elements are in the two vectors that
// begin four elements before the pack's first, so that in the end nothing is left in memory.
// RUN: %weirc %s --width 16 --local 64 --report text | FileCheck %s --check-prefix=REPORT
// REPORT-NOT: {{gather|scatter}}
// RUN: %weirc %s --width 16 --local 64 --cpu x86-64-v4 --stop-after optimize | FileCheck %s
// CHECK-NOT: addrspace(3)
// CHECK-COUNT-4: call <16 x i32> @llvm.umin
// CHECK-NOT: addrspace(3)
kernel void merge(global uint *d) {
    local uint s[128];
    uint t = get_local_id(0), p = 2 * t - (t & 3);
    s[t] = d[t];
    s[t + 64] = d[t + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((t & 15) >= 4) {
        uint a = s[p - 4], b = s[p];
        s[p - 4] = min(a, b);
        s[p] = max(a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    d[t] = s[t];
    d[t + 64] = s[t + 64];
}
