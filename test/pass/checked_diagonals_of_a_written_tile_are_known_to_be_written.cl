// All of a padded tile's elements but the padding are written: its diagonal is, too, so that nobody asks whether it was.
// RUN: %weirc %s --check --width 8 --local 16,16,1 --emit=ll --stop-after=instrument -o - | FileCheck %s
// CHECK-NOT: call void @__weir_check_used
// CHECK-NOT: weir_check_origin
// CHECK: ret void
kernel void k(global float *out) {
    local float t[16][17];
    uint x = get_local_id(0), y = get_local_id(1);
    t[y][x] = x + y;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < 16; i++)
        sum += t[i][i];
    out[16 * y + x] = sum;
}
