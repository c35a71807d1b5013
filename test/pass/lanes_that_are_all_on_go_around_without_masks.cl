// A loop that lanes leave in different rounds, one after the other: two of them tell that all go around once more, and then no mask
// is computed.
// RUN: %weirc %s --local 64 --width 8 --print-after regions 2>&1 | FileCheck %s
// CHECK: {{^}}full:
// CHECK: br i1 %{{[0-9a-z]+}}, label %full, label %some
kernel void k(global const short *in, global int *out) {
    int l = get_local_id(0), sum = 0;
    for (int i = 0; i < 256 - l; i++)
        sum += in[i] * in[i + l];
    out[get_global_id(0)] = sum;
}
