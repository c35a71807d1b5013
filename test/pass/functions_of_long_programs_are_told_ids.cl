// Where work-items run alone, functions of long programs that ask for ids stay functions, which have them as parameters; of short
// programs they are inlined.
// RUN: %weirc %s --local 64 --width 1 --kernel k --stop-after inline --options -DLONG | FileCheck %s
// CHECK-DAG: call i32 @both.cl(i32 {{[^,]*}}, i64 {{[^,]*}})
// CHECK-DAG: define {{.*}} @both.cl(i32 {{[^,]*}}, i64 {{[^,]*}})
// CHECK-DAG: call i32 @ask.cl(i32 {{[^,]*}}, i64 {{[^,]*}})
// RUN: %weirc %s --local 64 --width 1 --kernel k --stop-after inline | FileCheck %s --check-prefix SHORT
// SHORT-NOT: @both.cl
#ifdef LONG
#define ONE(n)     x = (x ^ n) * (x | 1) + (x >> 3);
#else
#define ONE(n)
#endif
#define TEN(n)      ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8) ONE(n + 9)
#define HUNDRED(n)  TEN(n) TEN(n + 10) TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70) TEN(n + 80) TEN(n + 90)
#define THOUSAND(n) HUNDRED(n) HUNDRED(n + 100) HUNDRED(n + 200) HUNDRED(n + 300) HUNDRED(n + 400) HUNDRED(n + 500) HUNDRED(n + 600) HUNDRED(n + 700) HUNDRED(n + 800) HUNDRED(n + 900)
int ask(int x) {
    THOUSAND(0) THOUSAND(1000)
    return x + get_group_id(1);
}
int both(int x) {
    THOUSAND(2000)
    return ask(x) ^ ask(x + 1);
}
kernel void k(global int *p) {
    p[get_global_id(0)] = both(p[get_global_id(0)]) + both(3);
}
