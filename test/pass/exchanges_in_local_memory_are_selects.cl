// Where some work-items exchange two elements of local memory that they have just read, all store: those that don't exchange
// them write back what they have read.
// RUN: %weirc %s --kernel exchange --local 64 --stop-after if-conversion | FileCheck %s
// CHECK-LABEL: define void @weir.exchange(
// CHECK: icmp ugt
// CHECK-NOT: br i1
// CHECK-COUNT-2: select i1
// CHECK-NOT: br i1
// CHECK: ret void
kernel void exchange(global uint *a) {
    local uint s[128];
    uint l = get_local_id(0);
    s[2 * l] = a[2 * l];
    s[2 * l + 1] = a[2 * l + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = s[l], y = s[l + 64];
    if (x > y) {
        s[l] = y;
        s[l + 64] = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[2 * l] = s[2 * l];
    a[2 * l + 1] = s[2 * l + 1];
}

// Not if lanes may have one place, as of a flag; if what they read may have changed since; if ids decide, which leave whole
// packs out; and not in global memory, which others see.
// RUN: %weirc %s --kernel flag --local 64 --stop-after if-conversion | FileCheck %s --check-prefix=STAYS
// RUN: %weirc %s --kernel changed --local 64 --stop-after if-conversion | FileCheck %s --check-prefix=STAYS
// RUN: %weirc %s --kernel ids --local 64 --stop-after if-conversion | FileCheck %s --check-prefix=STAYS
// RUN: %weirc %s --kernel seen --local 64 --stop-after if-conversion | FileCheck %s --check-prefix=STAYS
// STAYS: br i1
kernel void flag(global uint *a) {
    local uint s;
    uint l = get_local_id(0);
    s = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (s < a[l])
        s = 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = s;
}
kernel void changed(global uint *a, uint n) {
    local uint s[128];
    uint l = get_local_id(0);
    s[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = s[l];
    s[n] = 3;
    if (x > 7)
        s[l] = x + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = s[63 - l];
}
kernel void ids(global uint *a, uint n) {
    local uint s[64];
    uint l = get_local_id(0);
    s[63 - l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = s[l];
    if (l < n)
        s[l] = x + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = s[63 - l] + x;
}
kernel void seen(global uint *a) {
    uint l = get_local_id(0), x = a[l];
    if (x > 7)
        a[l] = x * 3;
}
