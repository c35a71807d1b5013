// Packs of four would have one register for each value, but wait for the polynomials of sine and cosine: those of eight wait as long for
// twice as many work-items.
// RUN: %weirc %s --local 64,1,1 --cpu x86-64-v3 --report text | FileCheck %s
// CHECK: 8: as many 32-bit values
// CHECK-NOT: one vector per value
kernel void k(global const double *a, global double *o, int n) {
    int g = get_global_id(0);
    double w = a[g], re = 0, im = 0;
    for (int i = 0; i < n; i++) {
        re += a[i] * sin(w * i);
        im += a[i] * cos(w * i);
    }
    o[g] = re + im;
}
