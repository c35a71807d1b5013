// fmin, fmax, min and clamp may return either one of 0 and -0: nobody looks at signs first, nor branches by them.
// RUN: %weirc %s --kernel lanes --local 64 --cpu x86-64-v3 --emit asm -o - | FileCheck %s
// RUN: %weirc %s --kernel alone --local 64 --cpu x86-64-v3 --width 1 --emit asm -o - | FileCheck %s --check-prefix=ALONE
// CHECK: weir.lanes:
// CHECK-NOT: vblendvps
// CHECK: vminps
// CHECK-NEXT: vcmpunordps
// CHECK-NEXT: vblendvps
// ALONE: weir.alone:
// ALONE-NOT: {{[[:space:]]jn?s[[:space:]]}}
// ALONE: vminss
// ALONE-NOT: {{[[:space:]]jn?s[[:space:]]}}
// ALONE: retq
kernel void lanes(global const float *a, global const float *b, global float *c) {
    size_t i = get_global_id(0);
    c[i] = fmin(a[i], b[i]);
}

kernel void alone(global const float *a, global const float *b, global float *c, int n) {
    size_t i = get_global_id(0);
    float x = a[i];
    for (int j = 0; j < n; j++) {
        x = fmin(x * x, b[j]);
    }
    c[i] = x;
}
