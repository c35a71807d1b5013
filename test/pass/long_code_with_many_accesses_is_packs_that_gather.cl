// Code that looks whether a pack's elements lie in a row takes four blocks: of five hundred accesses outside loops it is too much.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --emit ll | FileCheck %s --check-prefixes PACKS,GATHERS
// RUN: %weirc %s --kernel few --local 64 --cpu x86-64-v4 --emit ll | FileCheck %s --check-prefixes PACKS,LOOKS
// PACKS: define
// GATHERS-NOT: br i1
// GATHERS: @llvm.masked.gather.v16i32
// LOOKS: br i1
#define ONE(n)     x = (x ^ n) + (x >> 3) * a[(i + n) & 1023];
#define TEN(n)     ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8) ONE(n + 9)
#define HUNDRED(n) TEN(n) TEN(n + 10) TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70) TEN(n + 80) TEN(n + 90)
kernel void k(global const int *a, global int *b) {
    int i = get_global_id(0), x = i;
    HUNDRED(0) HUNDRED(100) HUNDRED(200) HUNDRED(300) HUNDRED(400)
    b[i] = x;
}
kernel void few(global const int *a, global int *b) {
    int i = get_global_id(0), x = i;
    TEN(0)
    b[i] = x;
}
