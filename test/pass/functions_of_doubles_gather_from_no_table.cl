// Exponential functions, logarithms, powers, sines and cosines of doubles are straight lines: packs gather from no table.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --stop-after optimize -o - | FileCheck %s
// CHECK: define {{.*}}void @weir.k(
// CHECK-NOT: masked.gather
// CHECK: ret void
kernel void k(global double *a) {
    size_t i = get_global_id(0);
    double x = a[i];
    a[i] = exp(x) + exp2(x) + exp10(x) + log(x) + log2(x) + log10(x) + pow(x, 1.5) + powr(x, 2.5) + sin(x) + cos(x) +
           tan(x);
}
