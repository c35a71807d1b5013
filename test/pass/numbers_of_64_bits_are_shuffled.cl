// Elements of 64 bits at known places near each other are loads and shuffles, too; of those further apart nobody looks at run time
// whether they lie in a row.
// RUN: %weirc %s --local 256 --width 16 --cpu x86-64-v4 --report text -o - | FileCheck %s
// CHECK: load{{ +}}local double{{ +}}wide load and shuffle
// CHECK: load{{ +}}local double{{ +}}gather
// CHECK-NOT: if in a row
kernel void k(global double *a, local double *s) {
    uint l = get_local_id(0);
    s[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = s[l ^ 3] +
                          s[l % 16 * 33 + l % 16 / 4];
}
