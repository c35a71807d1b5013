// A barrier is left out if nothing that is done since the barriers before it and until the next ones meets in memory.
// RUN: %weirc %s --local 64 --options -cl-std=CL3.0 --report text -o - | FileCheck %s
// CHECK-LABEL: between
// CHECK: region 1 {{.*}}:25
// CHECK-NOT: region
// CHECK: :23 {{ *}}barrier {{.*}}left out
// CHECK-LABEL: around
// CHECK-NOT: left out
// CHECK-LABEL: atomics
// CHECK-NOT: left out
// CHECK-LABEL: device
// CHECK-NOT: left out
// CHECK-LABEL: spaces
// CHECK: :53 {{ *}}barrier {{.*}}left out
// CHECK-NOT: left out
// CHECK-LABEL: variables
// CHECK: :62 {{ *}}barrier {{.*}}left out
// CHECK-NOT: left out
kernel void between(global int *p, int n) {
    local int s[64];
    size_t l = get_local_id(0);
    s[l] = p[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = l * n;
    barrier(CLK_GLOBAL_MEM_FENCE);
    p[l] = s[63 - l] + x;
}
kernel void around(global int *p, int n) {
    local int s[64];
    size_t l = get_local_id(0);
    for (int i = 0; i < n; i++) {
        s[l] = p[l] + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        p[l] = s[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
kernel void atomics(global int *p, global int *q) {
    atomic_inc(q);
    barrier(CLK_GLOBAL_MEM_FENCE);
    int x = p[get_local_id(0)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    p[get_local_id(0)] = x;
}
kernel void device(global int *p) {
    int x = get_local_id(0);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    p[get_local_id(0)] = x;
}
kernel void spaces(global int *p, local int *s) {
    size_t l = get_local_id(0);
    p[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    p[l] = s[63 - l];
}
kernel void variables(global int *p) {
    local int s[64], r[64];
    size_t l = get_local_id(0);
    s[l] = p[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    r[l] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    p[l] = s[63 - l] + r[63 - l];
}
