// Work-items that may leave before a barrier keep a state each, and the region after runs only those that wait.
// RUN: %weirc %s --kernel k --width 1 --local 64,1,1 --emit=ll --stop-after=promote -o - | FileCheck %s
// CHECK: region1.apart.x:
// CHECK: %state{{.*}} = getelementptr
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: label %skip
kernel void k(global int *p, int n) {
    local int tile[64];
    size_t l = get_local_id(0);
    if (l >= n)
        return;
    tile[l] = p[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[l] = tile[0];
}
