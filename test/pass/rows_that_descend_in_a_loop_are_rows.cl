// Where an index of 32 bits may wrap around, its lanes still lie a known step apart: a row down, or every third element.
// RUN: %weirc %s --width 8 --local 32 --cpu x86-64-v3 --report text | FileCheck %s
// CHECK: store global int reversed
// CHECK: load global int reversed
// CHECK: load global int wide load and shuffle
kernel void k(global const int *a, global int *o, int w, int h) {
    int x = get_local_id(0), y = get_group_id(0);
    for (int j = 0; j < h; j++)
        o[j * h + h - 1 - y - x] =
            a[j * w + h - y - x] +
            a[j * w + w + 3 * x];
}
