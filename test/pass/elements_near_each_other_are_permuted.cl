// Whether all lie in two vectors is looked at, and they are read and written whole then.
// RUN: %weirc %s --width 16 --local 64 --cpu x86-64-v4 --stop-after promote | FileCheck %s
// RUN: %weirc %s --width 8 --local 64 --cpu x86-64-v3 --stop-after promote | FileCheck %s --check-prefix=AVX2
// CHECK: window:
// CHECK: vpermi2var.d.512
// CHECK: mask.expand.v16i32
// AVX2: window:
// AVX2: avx2.permd
// AVX2-NOT: expand
kernel void k(global int *a, int j) {
    local int s[128];
    int l = get_local_id(0), low = 2 * l - (l & (j - 1));
    s[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[low] = a[s[low]];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = s[l];
}
