// What comes after a loop that may have no round is in the regions of all loops before it, unless it is cut.
// RUN: %weirc %s --kernel loops --local 64 --stop-after cuts -o - | FileCheck %s --check-prefix CUT
// CUT: call void @__weir_barrier(i32 0, i32 0)
// RUN: %weirc %s --kernel loops --local 64 --cpu x86-64-v4 --report text -o - | FileCheck %s --check-prefix PACKS
// PACKS: width     16
// PACKS-NOT: too many
// Work-items that wait for each other in a loop wait at no cut, and a few regions need none.
// RUN: %weirc %s --kernel waits --local 64 --stop-after cuts -o - | FileCheck %s --check-prefix WHOLE
// RUN: %weirc %s --kernel few --local 64 --stop-after cuts -o - | FileCheck %s --check-prefix WHOLE
// WHOLE-NOT: call void @__weir_barrier(i32 0, i32 0)
#define ONE(k)                                                                                               \
    for (int j = 0; j < n; j++) {                                                                            \
        s[l] = x;                                                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        x += s[(l + k) & 63] * (x ^ j);                                                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
    }
#define TEN(k)                                                                                               \
    ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3) ONE(k + 4) ONE(k + 5) ONE(k + 6) ONE(k + 7) ONE(k + 8) ONE(k + 9)
kernel void loops(global int *p, int n) {
    local int s[64];
    int x = p[get_global_id(0)], l = get_local_id(0);
    TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50) p[get_global_id(0)] = x;
}
kernel void waits(global int *p, int n, volatile global int *flag) {
    local int s[64];
    int x = p[get_global_id(0)], l = get_local_id(0);
    TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50) while (atomic_or(flag, 0) < l) {
    }
    atomic_inc(flag);
    p[get_global_id(0)] = x;
}
kernel void few(global int *p, int n) {
    local int s[64];
    int x = p[get_global_id(0)], l = get_local_id(0);
    ONE(0) ONE(1) ONE(2) ONE(3) p[get_global_id(0)] = x;
}
