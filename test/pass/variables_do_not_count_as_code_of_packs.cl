// How long a kernel is, is asked before its variables are registers. What reads and writes them there goes, so it is no
// reason for narrower packs.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK: width {{ *}}16: as many
// CHECK-NOT: too many
#define ONE(n)      x = (x ^ n) * x;
#define TEN(n)      ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8) ONE(n + 9)
#define HUNDRED(n)  TEN(n) TEN(n + 10) TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70) TEN(n + 80) TEN(n + 90)
#define THOUSAND(n) HUNDRED(n) HUNDRED(n + 100) HUNDRED(n + 200) HUNDRED(n + 300) HUNDRED(n + 400) HUNDRED(n + 500) HUNDRED(n + 600) HUNDRED(n + 700) HUNDRED(n + 800) HUNDRED(n + 900)
kernel void k(global int *p) {
    int x = p[get_global_id(0)];
    THOUSAND(0) THOUSAND(1000) HUNDRED(2000) HUNDRED(2100) HUNDRED(2200) HUNDRED(2300)
    p[get_global_id(0)] = x;
}
