// Which region is next, and the counters of loops around barriers, are found out after the loop over packs, not in each round of it.
// RUN: %weirc %s --width 16 --local 512 --stop-after pack-tails | FileCheck %s
// CHECK: br i1 %{{[0-9]+}}, label %region1.x, label %[[TAIL:tail[0-9]*]]
// CHECK: {{^}}[[TAIL]]:
// CHECK-NEXT: br i1
// CHECK: {{^}}tail.end
// CHECK: phi i32 [ {{[12]}},
// RUN: %weirc %s --width 16 --local 512 --stop-after promote | FileCheck %s --check-prefix=BEFORE
// BEFORE: br i1 %{{[0-9]+}}, label %region1.x, label %done
kernel void k(global uint *data, uint first, uint n) {
    local uint s[4096];
    uint l = get_local_id(0);
    s[l] = data[l];
    for (uint length = first; length <= n; length *= 2)
        for (uint step = length / 2; step; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint a = s[l * 2], b = s[l * 2 + 1];
            s[l * 2] = min(a, b) + step;
            s[l * 2 + 1] = max(a, b) - length;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[l] = s[l];
}
