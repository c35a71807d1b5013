// With AVX2 a mask of two registers is computed in halves, in loops too: packed into bytes, it would be unpacked wherever lanes choose.
// RUN: %weirc %s --kernel k --local 64,1,1 --width 16 --cpu x86-64-v3 --emit=asm | FileCheck %s
// RUN: %weirc %s --kernel l --local 64,1,1 --width 16 --cpu x86-64-v3 --emit=asm | FileCheck %s
// RUN: %weirc %s --kernel k --local 64,1,1 --width 16 --cpu x86-64-v3 --stop-after=mask-parts | FileCheck %s --check-prefix=IR
// CHECK-NOT: vpacks
// IR: fcmp olt <8 x float>
// IR-NOT: <16 x i1>
kernel void k(global const float *a, global int *out) {
    local float t[64];
    int l = get_local_id(0);
    float x = a[get_global_id(0)];
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int rank = 0;
    for (int i = 0; i < 64; i++)
        rank += t[i] < x || (t[i] == x && i < l);
    out[get_global_id(0)] = rank;
}

kernel void l(global const float *a, global int *out, int n) {
    int g = get_global_id(0), found = 0;
    bool is_up = true;
    for (int i = 0; i < n; i++) {
        float x = a[g + i * 64];
        is_up = is_up && x > i;
        found += is_up || x < -i;
    }
    out[g] = found;
}
