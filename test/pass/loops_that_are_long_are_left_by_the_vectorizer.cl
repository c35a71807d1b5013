// A loop over work-items of more than 4,000 instructions is none of LLVM's loop vectorizer, whose time grows with their square;
// a short one beside it stays one.
// RUN: %weirc %s --kernel lengthy --local 64 --width 1 --cpu x86-64-v4 --stop-after vectorizer-off | FileCheck %s
// RUN: %weirc %s --kernel brief --local 64 --width 1 --cpu x86-64-v4 --stop-after vectorizer-off | FileCheck %s --check-prefix=SHORT
// CHECK: llvm.loop.isvectorized
// SHORT-NOT: llvm.loop.isvectorized
#define ONE(n)      x = x * y + n; y = y - x * a[g + n];
#define TEN(n)      ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8) ONE(n + 9)
#define HUNDRED(n)  TEN(n) TEN(n + 10) TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70) TEN(n + 80) TEN(n + 90)
kernel void lengthy(global float *a) {
    int g = get_global_id(0);
    float x = a[g], y = a[g + 64];
    HUNDRED(0) HUNDRED(100) HUNDRED(200) HUNDRED(300) HUNDRED(400) HUNDRED(500) HUNDRED(600) HUNDRED(700)
    a[g] = x + y;
}
kernel void brief(global float *a) {
    int g = get_global_id(0);
    float x = a[g], y = a[g + 64];
    TEN(0)
    a[g] = x + y;
}
