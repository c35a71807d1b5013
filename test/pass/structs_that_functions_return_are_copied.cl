// A struct that a function returns is a value in clang's code for it: its copy is a copy of memory, not one of each element, nor of each
// byte that only fills it up.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --stop-after simplify | FileCheck %s
// CHECK: define {{.*}}@weir.k(
// CHECK-NOT: load i8
// CHECK-NOT: load float
// CHECK: call void @llvm.memcpy{{.*}} i64 {{[1-9][0-9][0-9]}},
// CHECK-NOT: load i8
// CHECK-NOT: load float
// CHECK: ret void
typedef struct {
    float m[100];
    float16 v;
} S;
S next(S s, float16 v, int i) {
    s.v += v;
    s.m[i % 100] = v.s0;
    return s;
}
kernel void k(global S *from, global S *to, global float16 *v) {
    int g = get_global_id(0);
    to[g] = next(next(from[g], v[g], g), v[g + 1], g * 2);
}
