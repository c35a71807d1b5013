// In local memory lanes that are off write back what they have read: a blend and a store. LLVM would make one masked store of
// them, from which no processor forwards values to the loads that follow.
// RUN: %weirc %s --kernel k --local 32 --cpu x86-64-v3 --emit=asm | FileCheck %s
// CHECK-LABEL: weir.k:
// CHECK-NOT: maskmov
// CHECK: vblendv
// CHECK-NOT: maskmov
// CHECK: retq
// RUN: %weirc %s --kernel k --local 32 --cpu x86-64-v4 --emit=asm | FileCheck %s --check-prefix=MASKS
// MASKS-LABEL: weir.k:
// MASKS-NOT: vmov{{.*}}) {%k
// MASKS: vfnmadd{{.*}} {%k
// MASKS-NOT: vmov{{.*}}) {%k
// MASKS: retq
kernel void k(global float *a) {
    local float s[32][33];
    int c = get_local_id(0);
    for (int r = 0; r < 32; r++)
        s[r][c] = a[r * 32 + c];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 31; k++) {
        if (c > k)
            for (int r = k + 1; r < 32; r++)
                s[r][c] -= s[r][k] * s[k][c];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < 32; r++)
        a[r * 32 + c] = s[r][c];
}
