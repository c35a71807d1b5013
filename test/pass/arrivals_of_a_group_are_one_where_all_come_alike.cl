// A checked kernel's barrier in a loop that all work-items go around together: the group passes it at once, and no work-item says
// where it waits. Where they may come to it in different iterations, though all do, each says so.
// RUN: %weirc %s --kernel alike --check --width 1 --local 64,1,1 --emit=ll --stop-after=publish -o - | FileCheck %s --check-prefix=ALIKE
// RUN: %weirc %s --kernel apart --check --width 1 --local 64,1,1 --emit=ll --stop-after=publish -o - | FileCheck %s --check-prefix=APART
// RUN: %weirc %s --kernel flags --check --width 1 --local 64,1,1 --emit=ll --stop-after=publish -o - | FileCheck %s --check-prefix=APART
// ALIKE-NOT: %meet
// ALIKE: %pass = load ptr
// ALIKE-NOT: %meet
// APART-NOT: %pass
// APART: %meet = load ptr
// APART-NOT: %pass
kernel void alike(global int *p, int n) {
    local int tile[64];
    size_t l = get_local_id(0);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        tile[l] = sum + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    p[get_global_id(0)] = sum;
}

kernel void apart(global int *p) {
    int i = 0, l = get_local_id(0);
    for (;; i++)
        if (i >= l % 4) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (i > 5)
                break;
        }
    p[get_global_id(0)] = i;
}

kernel void flags(global int *p, int n) {
    barrier(p[0] ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
    p[get_global_id(0)] = n;
}
