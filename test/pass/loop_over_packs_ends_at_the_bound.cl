// In `if (l < k)` with a k of the work-group's, work-items from k on have nothing to do: the loop over packs ends
// there, and the packs that are left need no compare with k to skip them.
// RUN: %weirc %s --kernel k --width 4 --local 64,1,1 --cpu x86-64-v3 --emit=ll --stop-after=promote -o - | FileCheck %s
// RUN: %weirc %s --kernel writes --width 4 --local 64,1,1 --emit=ll --stop-after=promote -o - | FileCheck --check-prefix=ALL %s
// RUN: %weirc %s --kernel versions --width 4 --local 64,1,1 --cpu x86-64-v3 --emit=ll --stop-after=regions -o - | FileCheck --check-prefix=ONE %s
// CHECK: %bound.0 = phi i64 [ 0,
// CHECK: icmp sgt i64 %{{[0-9]+}}, %bound.
// ALL-NOT: %bound
kernel void k(global int *p) {
    local int sums[64];
    size_t l = get_local_id(0);
    sums[l] = p[l];
    for (int step = 32; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step)
            sums[l] += sums[l + step];
    }
    if (l == 0)
        p[0] = sums[0];
}
kernel void writes(global int *p, int n) {
    local int sums[64];
    size_t l = get_local_id(0);
    sums[l] = p[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < n)
        p[l] = sums[l ^ 1];
    else
        p[l] = 0;
}

// Each short step has a version, a loop over packs of its own; where elements lie apart work-items run one by one.
// ONE: region{{[0-9]+}}.x:
// ONE: region{{[0-9]+}}.alone.x:
// ONE: icmp slt i64 %{{[0-9]+}}, %{{[0-9]+}}
kernel void versions(global int *p) {
    local int s[128];
    int l = get_local_id(0), step = 1;
    s[2 * l] = p[2 * l];
    s[2 * l + 1] = p[2 * l + 1];
    for (int d = 64; d; d /= 2, step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            s[step * (2 * l + 2) - 1] += s[step * (2 * l + 1) - 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    p[2 * l] = s[2 * l];
    p[2 * l + 1] = s[2 * l + 1];
}
