// Conversions and arithmetic of half numbers are instructions at every level of the processor: no call of __truncdfhf2, and
// no linker for it.
// RUN: for cpu in x86-64 x86-64-v2 x86-64-v3 x86-64-v4; do for width in 1 8; do %weirc %s --cpu $cpu --width $width --emit asm | FileCheck %s || exit; done; done
// RUN: %weirc %s --cpu x86-64-v3 --width 8 --emit asm | FileCheck %s --check-prefix=F16C
// RUN: %weirc %s --cpu x86-64 --width 8 --emit asm | FileCheck %s --check-prefix=NONE
// CHECK-NOT: {{call|jmp}}{{q?}}{{[[:space:]]+}}__
// F16C: vcvtph2ps
// F16C: vcvtps2ph
// NONE-NOT: vcvt
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global half *x, global half *y, global double *d, global long *l, global uint *u) {
    size_t i = get_global_id(0);
    half a = x[i], b = y[i], c = convert_half(d[i]), e = convert_half(l[i]), f = u[i];
    x[i] = fma(a, b, c) + a / b - sqrt(c) * fabs(e);
    y[i] = a < b ? fmax(copysign(c, e), -f) : ldexp(e, 3);
    d[i] = a * c;
    l[i] = convert_long(b);
    u[i] = convert_uint_sat_rte(c);
}
