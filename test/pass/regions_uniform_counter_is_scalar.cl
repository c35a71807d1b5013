// The counter of a uniform loop around barriers is one scalar of the work-group, and the loop's exit a scalar
// branch: no work-item's state is kept, and only `sum` lives in the context.
// RUN: %weirc %s --kernel k --width 1 --local 64,1,1 --emit=ll --stop-after=publish -o - | FileCheck %s
// CHECK: @weir_kernel = {{.*}}[i32 64, i32 1, i32 1], i32 4, i64 256
// CHECK: alloca [{{256|512}} x i8]
// CHECK: region1:
// CHECK-NOT: %state
// CHECK: ret void
kernel void k(global int *p, int n) {
    local int tile[64];
    size_t l = get_local_id(0);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        tile[l] = p[l] + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    p[l] = sum;
}
