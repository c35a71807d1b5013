// The code generator orders a very long block in pieces, each of which ends at a use of another value that does nothing.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --emit ll | FileCheck %s
// CHECK: fake.use(<{{[0-9]+}} x {{i32|float}}> [[FIRST:%[^)]*]])
// CHECK-NOT: fake.use({{.*}} [[FIRST]])
// CHECK: fake.use(
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --emit ll --options -DSHORT | FileCheck %s --check-prefix SHORT
// SHORT-NOT: fake.use
#define ONE(n)      x = x * y + n; y = y * x - a[g + n * 64];
#define TEN(n)      ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8) ONE(n + 9)
#define HUNDRED(n)  TEN(n) TEN(n + 10) TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70) TEN(n + 80) TEN(n + 90)
kernel void k(global float *a) {
    int g = get_global_id(0);
    float x = a[g], y = a[g + 1];
    HUNDRED(0)
#ifndef SHORT
    HUNDRED(100) HUNDRED(200) HUNDRED(300) HUNDRED(400) HUNDRED(500)
#endif
    a[g] = x + y;
}
