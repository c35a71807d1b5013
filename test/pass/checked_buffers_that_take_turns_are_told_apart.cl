// Two arrays that pointers to change places, three, and rows that a number of 0 and 1 chooses: copies of the loop know which is
// read and which is written, so that nothing need be looked at there.
// RUN: %weirc %s --kernel two --check --width 8 --local 64,1,1 --emit=ll --stop-after=instrument -o - | FileCheck %s
// RUN: %weirc %s --kernel three --check --width 8 --local 64,1,1 --emit=ll --stop-after=instrument -o - | FileCheck %s
// RUN: %weirc %s --kernel rows --check --width 8 --local 64,1,1 --emit=ll --stop-after=instrument -o - | FileCheck %s
// CHECK-NOT: call void @__weir_check_access{{.*}} i32 4
// CHECK: ret void
kernel void two(int n) {
    local int a[64], b[64];
    local int *now = a, *next = b;
    uint l = get_local_id(0);
    a[l] = b[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        next[l] = now[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        local int *t = now;
        now = next;
        next = t;
    }
}

kernel void three(int n) {
    local int a[64], b[64], c[64];
    local int *before = a, *now = b, *next = c;
    uint l = get_local_id(0);
    a[l] = b[l] = c[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        next[l] = now[63 - l] + before[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        local int *t = before;
        before = now;
        now = next;
        next = t;
    }
}

kernel void rows(int n) {
    local int a[2][64];
    uint l = get_local_id(0);
    int row = 0;
    a[0][l] = a[1][l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        a[1 - row][l] = a[row][63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        row = 1 - row;
    }
}
