// A program may hand on a variable that it never set, as long as nothing depends on it: also where functions stay calls.
// RUN: for effort in 0 1 2; do %weirc %s --effort $effort --emit ll | FileCheck %s || exit; done
// CHECK: define {{.*}}void @weir.k(
// CHECK: fmul
// CHECK: store
float scaled(float result, float by, float x) {
    result = by * x;
    return result;
}
kernel void k(global float *x, float by) {
    for (int w = 0; w < 2; w++) {
        size_t i = w * get_global_size(0) + get_global_id(0);
        float old = x[i], result;
        result = scaled(result, by, old);
        x[i] = result;
    }
}
