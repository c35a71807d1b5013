// RUN: %weirc %s --cpu x86-64-v4 --local 16,16 --report text | FileCheck %s
// RUN: %weirc %s --cpu x86-64-v3 --local 8,8 --report text | FileCheck %s
// Each round waits for the one before: of two rows each is a vector of its own, as halves of a wider pack are.
// CHECK: 2 rows of
kernel void k(global uint *out, float scale, uint limit) {
#pragma OPENCL FP_CONTRACT OFF
    uint x = get_global_id(0), y = get_global_id(1), n = 0;
    float a = x * scale - 1, b = y * scale - 1, u = 0, v = 0;
    while (n < limit) {
        float uu = u * u, vv = v * v;
        if (uu + vv > 9)
            break;
        v = 2 * u * v + b;
        u = uu - vv + a;
        n++;
    }
    out[y * get_global_size(0) + x] = n;
}
