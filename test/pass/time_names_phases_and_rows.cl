// weirc says what each row and each phase took of a processor's time, on standard error.
// RUN: %weirc %s --local 64 --time -o /dev/null 2>&1 | FileCheck %s
// CHECK: ms  front end
// CHECK: {{[0-9.]+}} ms    inline
// CHECK: {{[0-9.]+}} ms    regions
// CHECK: {{[0-9.]+}} ms    optimize
// CHECK: {{[0-9.]+}} ms  passes
// CHECK: {{[0-9.]+}} ms  code generation
kernel void k(global int *p) {
    p[get_global_id(0)] *= 3;
}
