// Packs would take the sixteen numbers of each work-item apart, and put what becomes of them together again. One by one the work-items
// multiply all sixteen in one instruction.
// RUN: %weirc %s --local 64 --cpu x86-64-v3 --emit=asm -o - | FileCheck %s
// CHECK: vpmullw {{.*}}, %ymm
kernel void k(global const short16 *a, global short16 *o) {
    short16 v = a[get_global_id(0)];
    short s = v.s0 + v.s1 + v.s2 + v.s3 + v.s4 + v.s5 + v.s6 + v.s7 + v.s8 + v.s9 + v.sa + v.sb + v.sc + v.sd + v.se + v.sf;
    o[get_global_id(0)] = v * s + v.s0;
}
