// The greater of two elements, in a group of a known size: the store lies where two ways meet, both of them behind a condition on ids.
// In the other kernel one of the ways comes around the condition, so that work-items meet.
// RUN: %weirc %s --kernel apart --check --width 8 --local 64,1,1 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=APART
// RUN: %weirc %s --kernel meet --check --width 8 --local 64,1,1 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=ASKS
// APART-NOT: call void @__weir_check_access{{.*}} i32 1, i32 4
// APART: ret void
// ASKS: call void @__weir_check_access{{.*}} i32 1, i32 4
kernel void apart(global int *out) {
    local int best[64], at[64];
    uint l = get_local_id(0);
    best[l] = l * 37 % 64;
    at[l] = l;
    for (uint step = 32; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step)
            if (best[l + step] > best[l] || (best[l + step] == best[l] && at[l + step] < at[l])) {
                best[l] = best[l + step];
                at[l] = at[l + step];
            }
    }
    if (l == 0 && at[0] > 5)
        atomic_inc(out);
}

kernel void meet(global int *out) {
    local int best[64];
    uint l = get_local_id(0);
    best[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32 || *out == 7)
        best[l] = best[l ^ 32] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0 && best[0] > 5)
        atomic_inc(out);
}
