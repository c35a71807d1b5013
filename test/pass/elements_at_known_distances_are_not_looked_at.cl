// Where the ids tell each work-item's distance from the pack's first, nothing is asked at run time: padded rows are pieces,
// an exchange is one vector and a permute, and what is 2 apart is two vectors and a shuffle. The analysis says what it knows.
// RUN: %weirc %s --kernel padded --width 16 --local 64 --cpu x86-64-v4 --stop-after promote | FileCheck %s --check-prefix=PADDED
// RUN: %weirc %s --kernel swapped --width 16 --local 64 --cpu x86-64-v4 --stop-after promote | FileCheck %s --check-prefix=SWAPPED
// RUN: %weirc %s --kernel apart --width 16 --local 64 --cpu x86-64-v4 --stop-after promote | FileCheck %s --check-prefix=APART
// RUN: %weirc %s --kernel swapped --width 4 --local 64 --print-analysis | FileCheck %s --check-prefix=OFFSETS
// PADDED-NOT: {{gather|scatter|row:}}
// PADDED-COUNT-2: load <8 x float>
// PADDED-COUNT-2: store <8 x float>
// SWAPPED-NOT: {{gather|scatter|row:}}
// SWAPPED: load <16 x float>{{.*}}
// SWAPPED-NEXT: shufflevector <16 x float> {{.*}} <i32 3, i32 2, i32 1, i32 0, i32 7,
// APART-NOT: {{gather|scatter|row:}}
// APART-COUNT-2: load <16 x float>
// APART: shufflevector <32 x float> {{.*}} <i32 0, i32 2, i32 4,
// OFFSETS: xor {{.*}} offsets 0 -1 -2 -3
kernel void padded(global const float *a, global float *o) {
    local float s[72], t[160];
    uint l = get_local_id(0);
    s[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l / 8 * 20 + l % 8] = s[l / 8 * 9 + l % 8];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = t[l];
}
kernel void swapped(global const float *a, global float *o) {
    uint l = get_local_id(0);
    o[l] = a[l ^ 3];
}
kernel void apart(global const float *a, global float *o) {
    uint l = get_local_id(0);
    o[l] = a[2 * l + 1];
}
