// In a tree's last rounds a pack adds what half, a quarter, an eighth of its lanes want, and reads no more: what lies behind it has
// just been stored by another store.
// RUN: %weirc %s --kernel k --local 56 --width 16 --cpu x86-64-v4 --stop-after wanted-lanes | FileCheck %s
// CHECK-LABEL: define internal void @weir.k(
// CHECK: [[HALF:%[0-9]+]] = load <8 x float>
// CHECK-NEXT: shufflevector <8 x float> [[HALF]], <8 x float> poison, <16 x i32> <i32 0, {{.*}} i32 7, i32 poison, {{.*}} i32 poison>
// CHECK: load <4 x float>
// CHECK: load <2 x float>
kernel void k(global const float *in, global float *out) {
    local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    if (l < 8)
        s[56 + l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 32; d > 0; d >>= 1) {
        if (l < d)
            s[l] += s[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
