// Whether all of a pack's work-items lie between two bounds is told by its first and its last one: ids that go up, and what goes
// down as they go up, in 32 bits and in 64; also where it may wrap around, which is looked at. Masks are for other packs.
// RUN: %weirc %s --kernel k --local 64 --width 8 --stop-after promote | FileCheck %s
// CHECK: %all{{[0-9]*}} = icmp
// CHECK: br i1 %{{[0-9a-z]+}}, label %{{(full|run)[.a-z0-9]*}}, label %not.all
kernel void k(global int *a, int first, int n) {
    local int s[66];
    int l = get_local_id(0), x = first + l;
    s[l + 1] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= 0 && n - l > first)
        a[l] = s[l] + s[l + 2];
}

// RUN: %weirc %s --kernel wide --local 64 --width 8 --cpu x86-64-v3 --stop-after promote | FileCheck %s --check-prefix=WIDE --implicit-check-not='<8 x i64>'
// WIDE: define void @weir.wide(
// WIDE: %all = icmp ult i64
kernel void wide(global int *a, int n) {
    local int s[66];
    int l = get_local_id(0);
    s[l + 1] = a[l];
    for (long r = 1; r < n; r++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (r < 64 - l)
            a[l + 64 * r] = s[l] + s[l + 2];
    }
}
