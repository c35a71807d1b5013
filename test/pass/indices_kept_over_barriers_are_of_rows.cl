// What a barrier in a loop keeps of a row's element that each lane chooses is its index; the row, which the pack shares, is
// computed again: code looks whether all are in a row or near each other.
// RUN: %weirc %s --local 16,16 --report text | FileCheck %s
// CHECK: load local float contiguous{{$}}
// CHECK: load local float contiguous if in a row, else gather
// CHECK-NOT: 8 bytes per work-item
kernel void k(global const float *in, global float *out, int n, int steps) {
    local float a[16][16], b[16][16];
    int x = get_local_id(0), y = get_local_id(1), place = get_group_id(0) * 12 + x - 2;
    int i = get_global_id(1) * n + get_global_id(0), before = max(x - 1, 0);
    a[y][x] = in[i];
    if (place == 0)
        before = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 0; step < steps; step++) {
        b[y][x] = a[y][x] + a[y][before];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[y][x] = b[y][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = a[y][x];
}
