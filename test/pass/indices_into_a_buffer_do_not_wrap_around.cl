// In a buffer of less than 2^31 bytes two lanes' elements aren't on either side of a wrap of a 32-bit index: nobody looks.
// RUN: %weirc %s --width 16 --local 64 --report text | FileCheck %s
// CHECK: load global float contiguous{{$}}
// CHECK: load global float contiguous, masked if a lane is off
// CHECK: store global float contiguous
// RUN: %weirc %s --width 16 --local 64 --report text --may-overlap | FileCheck %s --check-prefix=LOOK
// LOOK: load global float contiguous if in a row, else gather
kernel void k(global const float *a, global float *o, uint n, uint first) {
    uint i = get_global_id(0);
    float x = a[i + n];
    if (i > first)
        x += a[i - first - 1];
    o[i + first] = x;
}
