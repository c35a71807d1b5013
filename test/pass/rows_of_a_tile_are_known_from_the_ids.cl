// Packs begin at multiples of their width: where work-items in one dimension fill a tile, its rows are scalars, and a
// pack's elements lie in a row, without a look at run time. Packs beyond a multiple of the width are skipped whole.
// RUN: %weirc %s --kernel tile --local 256,1,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s --check-prefix=TILE
// RUN: %weirc %s --kernel below --local 256,1,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s --check-prefix=BELOW
// TILE-NOT: {{lshr|and|udiv|urem}} <
// TILE: store <{{8|16}} x float>
// TILE-NOT: {{lshr|and|udiv|urem}} <
// BELOW-NOT: icmp {{.*}} <
// BELOW-NOT: masked
kernel void tile(global const float *a, global float *o) {
    local float s[8][32];
    uint l = get_local_id(0), y = l / 32, x = l % 32;
    s[y][x] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = s[7 - y][x];
}
kernel void below(global const float *a, global float *o, int n) {
    uint l = get_local_id(0);
    float x = a[l];
    if (l >= 64 && l < 192)
        for (int i = 0; i < n; i++)
            x = x * x + i;
    o[l] = x;
}
