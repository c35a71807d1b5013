// A work-group of a few packs keeps its tile of local memory in registers: loops over packs are unrolled, and also the steps whose number is known,
// which read one half and write the other. What neighbours exchange is shuffled, and nothing is loaded or stored but buffers.
// RUN: %weirc %s --kernel ring --local 128 --cpu x86-64-v4 --emit=ll | FileCheck %s --check-prefix=RING
// RUN: %weirc %s --kernel steps --local 16,8 --cpu x86-64-v4 --emit=ll | FileCheck %s --check-prefix=STEPS
// RUN: %weirc %s --kernel halo --local 128 --cpu x86-64-v4 --emit=ll | FileCheck %s --check-prefix=HALO
// RUN: %weirc %s --kernel one --local 128 --cpu x86-64-v4 --emit=ll | FileCheck %s --check-prefix=ONE
// RING: phi <16 x i32>
// RING-NOT: store <16 x i32> {{.*}}addrspace(3)
// RING: shufflevector <16 x i32> {{.*}}, <16 x i32> {{.*}}, <16 x i32> <i32 1, i32 2,
// RING-NOT: addrspace(3)
// RING: store <{{.*}} x i32> {{.*}} ptr addrspace(1)
kernel void ring(global int *p, int n) {
    local int shared[128];
    int l = get_local_id(0), x = p[l];
    for (int i = 0; i < n; i++) {
        shared[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = x * 3 + shared[(l + 1) % 128];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    p[l] = x;
}
// STEPS-NOT: load <{{.*}}addrspace(3)
// STEPS-NOT: store <{{.*}}addrspace(3)
// STEPS: ret void
kernel void steps(global float *p) {
    local float t[2][10][18];
    int x = get_local_id(0), y = get_local_id(1), now = 0;
    t[0][y + 1][x + 1] = p[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step <= 3; step++) {
        if (x >= step && x < 16 - step && y >= step && y < 8 - step)
            t[1 - now][y + 1][x + 1] = t[now][y][x + 1] + t[now][y + 2][x + 1] + t[now][y + 1][x] + t[now][y + 1][x + 2];
        now = 1 - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    p[y * 16 + x] = t[now][y + 1][x + 1];
}
// So do the elements on either side that one work-item stores.
// HALO-NOT: {{(load|store) .*}}addrspace(3)
// HALO: ret void
kernel void halo(global float *p, int n) {
    local float s[130];
    int l = get_local_id(0);
    s[l + 1] = p[l];
    if (l == 0)
        s[0] = 1;
    if (l == 127)
        s[129] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        float x = 0.25f * s[l] + 0.5f * s[l + 1] + 0.25f * s[l + 2];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l + 1] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    p[l] = s[l + 1];
}
// What single elements are read of stays in memory.
// ONE: load i32, ptr addrspace(3)
kernel void one(global int *p) {
    local int shared[128];
    int l = get_local_id(0), sum = 0;
    shared[l] = p[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 128; i++)
        sum += shared[i] * (i ^ l);
    p[l] = sum;
}
