// Where all lanes are on, code that looks where they access something asks of their indices what the access itself relies on:
// LLVM would look for each freeze whether it is needed, on all the way up to the function's entry.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --stop-after promote | FileCheck %s --implicit-check-not='= freeze'
// RUN: %weirc %s --kernel some --local 64 --cpu x86-64-v4 --stop-after promote | FileCheck %s --check-prefix SOME
// CHECK: define
// CHECK: one.place
// CHECK: any
// SOME: = freeze
kernel void all(global const int *at, global const int *a, global int *b, local int *n) {
    int g = get_global_id(0);
    atomic_add(&n[at[g] & 255], g);
    barrier(CLK_LOCAL_MEM_FENCE);
    b[g] = n[get_local_id(0)] + a[((g & 31) * 3) ^ 5];
}
kernel void some(global const int *at, global const int *a, global int *b, local int *n) {
    int g = get_global_id(0);
    if (a[g] > 3)
        atomic_add(&n[at[g] & 255], g);
    barrier(CLK_LOCAL_MEM_FENCE);
    b[g] = n[get_local_id(0)];
}
