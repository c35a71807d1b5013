// What has no vector form is there once per lane, after a branch where lanes may be off: of many such accesses packs
// would become tens of thousands of instructions, which take minutes to compile. A few are no reason.
// RUN: %weirc %s --kernel many --local 45 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=MANY
// MANY: about {{[0-9]+}} instructions for packs of 16 are too many
// RUN: %weirc %s --kernel many --local 45 --cpu x86-64-v4 --width 16 --report text | FileCheck %s --check-prefix=HALF
// HALF: {{ [248]}}: about {{[0-9]+}} instructions for packs of {{[0-9]+}} are too many
// RUN: %weirc %s --kernel few --local 45 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=FEW
// FEW-NOT: too many
// RUN: %weirc %s --kernel group --local 45 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=GROUP
// GROUP-NOT: too many
#define ONE(n)      v[g + n] = v[g + 2 * n] + n;
#define TEN(n)      ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8)
#define HUNDRED(n)  TEN(n) TEN(n + 10) TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70)
kernel void many(volatile global int *v) {
    size_t g = get_global_id(0) * 1000;
    HUNDRED(0) HUNDRED(100) HUNDRED(200)
}
kernel void few(volatile global int *v) {
    size_t g = get_global_id(0) * 1000;
    TEN(0)
}
// The host was told how wide its sub-groups are.
kernel void group(volatile global int *v) {
    size_t g = get_global_id(0) * 1000 + sub_group_reduce_add(1);
    TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50) TEN(60) TEN(70) TEN(80) TEN(90) TEN(100) TEN(110) TEN(120)
}
