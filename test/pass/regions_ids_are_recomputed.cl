// Functions of ids and arguments are recomputed after a barrier, not kept: the context is empty.
// RUN: %weirc %s --kernel k --width 1 --local 64,1,1 --emit=ll --stop-after=publish -o - | FileCheck %s
// CHECK: @weir_kernel = {{.*}}, i64 256, i64 0, i64 0, i64
// CHECK-NOT: alloca
kernel void k(global int *p, int n) {
    local int tile[64];
    int l = get_local_id(0), at = get_group_id(0) * 64 + l, other = (l + 1) & 63;
    tile[l] = p[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[at] = tile[other];
}
