// One thread runs the work-group: also what a function that stays a call does with local memory needs no atomic instruction.
// RUN: %weirc %s --width 1 --local 64 --stop-after local-atomics | FileCheck %s
// CHECK-NOT: atomicrmw
// CHECK: define internal {{.*}}atomic_inc
// CHECK-NOT: atomicrmw
kernel void k(global const uint *in, global uint *out) {
    local uint bins[64];
    uint l = get_local_id(0);
    bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++)
        atomic_inc(&bins[in[64 * i + l] & 63]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = bins[l];
}
