// Relaxed atomics of a checked kernel are looked at once, before they run; and once more afterwards, for what they may acquire, where a
// fence orders more than barriers do by themselves: of the second kernel those in global memory, of the third one all.
// RUN: %weirc %s --kernel barriers --check --width 8 --local 64,1,1 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=TWO
// RUN: %weirc %s --kernel flags --check --width 8 --local 64,1,1 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=THREE
// RUN: %weirc %s --kernel fence --check --width 8 --local 64,1,1 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=FOUR
// TWO-COUNT-2: call void @{{.*}}__weir_lane_check{{.*}} i64 noundef 4, i32
// TWO-NOT: call void @{{.*}}__weir_lane_check{{.*}} i64 noundef 4, i32
// THREE-COUNT-3: call void @{{.*}}__weir_lane_check{{.*}} i64 noundef 4, i32
// THREE-NOT: call void @{{.*}}__weir_lane_check{{.*}} i64 noundef 4, i32
// FOUR-COUNT-4: call void @{{.*}}__weir_lane_check{{.*}} i64 noundef 4, i32
// FOUR-NOT: call void @{{.*}}__weir_lane_check{{.*}} i64 noundef 4, i32
kernel void barriers(global int *out) {
    local int counts[64];
    uint l = get_local_id(0);
    counts[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&counts[l / 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[l], counts[l]);
}

kernel void flags(global int *out) {
    local int counts[64];
    uint l = get_local_id(0);
    counts[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_inc(&counts[l / 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[l], counts[l]);
}

kernel void fence(global int *out) {
    local int counts[64];
    uint l = get_local_id(0);
    counts[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&counts[l / 2]);
    mem_fence(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[l], counts[l]);
}
