// One thread runs the group: volatile accesses of local memory keep a work-item's own order, and are a pack's like others.
// RUN: %weirc %s --width 16 --local 64 --report text | FileCheck %s
// CHECK-NOT: lane by lane
// CHECK: store local float contiguous
// CHECK-NOT: lane by lane
// RUN: %weirc %s --width 16 --local 64 --stop-after promote | FileCheck %s --check-prefix=IR
// IR-NOT: {{load|store}} volatile
kernel void k(global float *a) {
    local volatile float s[64];
    int l = get_local_id(0);
    s[l] = a[get_global_id(0)];
    for (int d = 32; d > 0; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            s[l] += s[l + d];
    }
    if (l == 0)
        a[get_group_id(0)] = s[0];
}
