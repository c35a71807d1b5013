// Where programs ask for relaxed mathematics, sines and cosines of floats are native_ ones; tangents, of which these would be far off
// near the poles, exponentials, of which they are 0 too early, doubles, and what isn't relaxed stay.
// RUN: %weirc %s --kernel k --options -cl-fast-relaxed-math --stop-after math-calls | FileCheck %s
// RUN: %weirc %s --kernel k --stop-after math-calls | FileCheck %s --check-prefix=EXACT
// CHECK: call fast {{.*}}@_Z10native_sinf
// CHECK: call fast {{.*}}@_Z10native_cosDv4_f
// CHECK: call fast {{.*}}@_Z3expf
// CHECK: call fast {{.*}}@_Z3tanf
// CHECK: call fast {{.*}}@_Z3sind
// EXACT-NOT: @_Z{{[0-9]+}}native_
kernel void k(global float *f, global float4 *v, global double *d) {
    f[0] = sin(f[0]);
    v[0] = cos(v[0]);
    f[2] = exp(f[2]);
    f[1] = tan(f[1]);
    d[0] = sin(d[0]);
}
