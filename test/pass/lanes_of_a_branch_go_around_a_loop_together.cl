// The loop's branch is a real one, and its mask doesn't change. There is a version for when all lanes are on.
// RUN: %weirc %s --width 8 --local 64 --cpu x86-64-v4 --stop-after promote | FileCheck %s
// CHECK: br i1 %all, label %round, label %round{{[0-9]+}}
// CHECK: round:
// CHECK-NOT: masked
// CHECK: br i1 {{.*}}, label %round{{(,.*)?$}}
// CHECK: round{{[0-9]+}}:
// CHECK-NOT: or <8 x i1>
// CHECK: llvm.masked.store
// CHECK: br i1 {{.*}}, label %round{{[0-9]+}}
kernel void k(global float *a, global const float *b, global const int *some, int n) {
    size_t g = get_global_id(0), m = get_global_size(0);
    if (some[g])
        for (int i = 0; i < n; i++)
            a[m * i + g] = b[i];
}
