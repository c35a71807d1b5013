// Where several comparisons of an id with what the group shares hold, two bounds tell that the loop over packs computes once; the
// condition isn't kept across the barrier, but asked again.
// RUN: %weirc %s --width 16 --local 256 --stop-after regions | FileCheck %s
// RUN: %weirc %s --width 16 --local 256 --stop-after branch-phis | FileCheck --check-prefix=PHI %s
// CHECK: %context = alloca [0 x i8]
// CHECK: %[[MAYBE:maybe[0-9]*]] = and i1
// CHECK: br i1 %all
// CHECK: br i1 %[[MAYBE]]
// PHI-NOT: phi i1
kernel void k(global const int *costs, global int *out, int columns, int rows) {
    local int now[256], next[256];
    int l = get_local_id(0), x = (int)get_group_id(0) * (256 - 2 * rows) + l - rows;
    bool valid = x >= 0 && x < columns, computed = false;
    if (valid)
        now[l] = costs[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 1; r <= rows; r++) {
        computed = valid && l >= r && l < 256 - r;
        if (computed)
            next[l] = min(now[l - 1], min(now[l], now[l + 1])) + costs[r * columns + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (computed)
            now[l] = next[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        out[x] = now[l];
}
