// A checked tree of sums in a group of a known size, and one whose halves meet: each step has numbers in it, of which it is known that
// work-items keep apart, that they stay inside, and that what they read was written; or not.
// RUN: %weirc %s --kernel apart --check --width 8 --local 64,1,1 --constants 256 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=APART
// RUN: %weirc %s --kernel apart --check --width 8 --local 64,1,1 --constants 260 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=APART
// RUN: %weirc %s --kernel apart --check --width 8 --local 64,1,1 --constants 252 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=ASKS
// RUN: %weirc %s --kernel apart --check --width 8 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=ASKS
// RUN: %weirc %s --kernel meet --check --width 8 --local 64,1,1 --constants 256 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=ASKS
// APART-NOT: call void @__weir_check_access{{.*}} i32 1, i32 4
// APART: ret void
// ASKS: call void @__weir_check_access{{.*}} i32 1, i32 4
kernel void apart(global int *out, local int *sums) {
    uint l = get_local_id(0);
    sums[l] = l;
    for (uint step = get_local_size(0) / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step)
            sums[l] += sums[l + step];
    }
    if (l == 0 && sums[0] > 5)
        atomic_inc(out);
}

kernel void meet(global int *out, local int *sums) {
    uint l = get_local_id(0);
    sums[l] = l;
    for (uint step = get_local_size(0) / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l <= step && l + step < 64)
            sums[l] += sums[l + step];
    }
    if (l == 0 && sums[0] > 5)
        atomic_inc(out);
}
