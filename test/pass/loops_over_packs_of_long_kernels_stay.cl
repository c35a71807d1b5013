// In a long kernel with a context in memory, LLVM doesn't unroll the many regions for their four packs, if these have loops in them.
// RUN: test $(%weirc %s --local 64 --cpu x86-64-v4 --emit ll | grep -c " = ") -lt 30000
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --stop-after pack-loops | FileCheck %s
// CHECK: llvm.loop.unroll.disable
#define ONE(n)     atomic_add(&t[(v + n) & 255], u); barrier(CLK_LOCAL_MEM_FENCE); u += t[l];
#define TEN(n)     ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8) ONE(n + 9)
#define HUNDRED(n) TEN(n) TEN(n + 10) TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70) TEN(n + 80) TEN(n + 90)
kernel void k(global int *b, local int *t) {
    int l = get_local_id(0), g = get_global_id(0), u = b[g], v = b[g + 64];
    HUNDRED(0) HUNDRED(100)
    b[g] = u + v;
}
