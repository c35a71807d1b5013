// A filter's window has few rows, whose lines of the cache other packs find there. So packs are as wide as the sums of each work-item leave
// registers for, where each number that is read goes to all of them in turns: 8 sums of two vectors don't fit four times.
// RUN: %weirc %s --kernel eight --local 32,2 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=NARROW
// RUN: %weirc %s --kernel one --local 32,2 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=WIDE
// NARROW: width {{ *}}8
// NARROW-NEXT: {{^ *}}16: about
// WIDE: width {{ *}}8
// WIDE-NEXT: {{^ *}}32: about
#define FILTER(NAME, SUMS)                                                                                                       \
    kernel void NAME(global const float *in, global const float *weights, global float *out, int width, int height) {            \
        int x = get_global_id(0), y = get_global_id(1);                                                                          \
        float sums[SUMS];                                                                                                        \
        for (int n = 0; n < SUMS; n++)                                                                                           \
            sums[n] = 0;                                                                                                         \
        for (int c = 0; c < 8; c++)                                                                                              \
            for (int dy = 0; dy < 5; dy++)                                                                                       \
                for (int dx = 0; dx < 5; dx++)                                                                                   \
                    for (int n = 0; n < SUMS; n++)                                                                               \
                        sums[n] += in[(c * (height + 4) + y + dy) * (width + 4) + x + dx] *                                      \
                                   weights[((n * 8 + c) * 5 + dy) * 5 + dx];                                                     \
        for (int n = 0; n < SUMS; n++)                                                                                           \
            out[(n * height + y) * width + x] = sums[n];                                                                         \
    }
FILTER(one, 1)
FILTER(eight, 8)
