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
    atomic_inc(&bins[in[l] & 63]); /* not in a loop, in which others might wait for it: there functions are inlined */
    atomic_inc(&bins[in[64 + l] & 63]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = bins[l];
}
