// Each sub-group's rows, and what all of one read, are looked at beside the access, too.
// RUN: %weirc %s --check --width 8 --local 64,1,1 --cpu x86-64-v3 --stop-after regions | FileCheck %s
// CHECK-COUNT-4: {{^subgroups[0-9]*:}}
// CHECK-NOT: {{^subgroups[0-9]*:}}
kernel __attribute__((intel_reqd_sub_group_size(8))) void k(global int *out) {
    local int t[64];
    uint l = get_local_id(0);
    t[l] = l;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    int x = t[l] + t[l & ~7u];
    out[l] = x;
}
