// A loop whose rounds go on to another row each is one round of all packs after another: a region of its own. Up to a bound it is
// in a version behind a branch that asks whether ids could wrap around, which ends when the group's first work-item does. What
// lives on from round to round, as a sum, would be read and written in each.
// RUN: %weirc %s --kernel rows --width 8 --local 256 --stop-after group-rounds | FileCheck %s --check-prefix=ROWS
// RUN: %weirc %s --kernel range --width 8 --local 256 --stop-after group-rounds | FileCheck %s --check-prefix=RANGE
// RUN: %weirc %s --kernel range --width 8 --local 256 --report text | FileCheck %s --check-prefix=REPORT
// RUN: %weirc %s --kernel sum --width 8 --local 256 --stop-after group-rounds | FileCheck %s --check-prefix=NONE
// RUN: %weirc %s --kernel walk --width 8 --local 256 --stop-after group-rounds | FileCheck %s --check-prefix=NONE
// RUN: %weirc %s --kernel slide --width 8 --local 256 --stop-after group-rounds | FileCheck %s --check-prefix=NONE
// RUN: %weirc %s --kernel range --width 8 --local 32 --stop-after group-rounds | FileCheck %s --check-prefix=NONE
// RUN: %weirc %s --kernel vectors --width 8 --local 256 --stop-after group-rounds | FileCheck %s --check-prefix=SOME
// RUN: %weirc %s --kernel found --width 8 --local 256 --stop-after group-rounds | FileCheck %s --check-prefix=SOME
// ROWS: phi
// ROWS-NEXT: call void @__weir_barrier(i32 0, i32 0)
// RANGE: %fits = and i1
// RANGE: br i1 %fits, label %rounds, label %any
// RANGE: call void @__weir_barrier(i32 0, i32 0)
// RANGE: [[HERE:%[0-9]+]] = add nuw i32 %first
// RANGE: icmp ult i32 [[HERE]], %n
// RANGE: [[LEFT:%[0-9]+]] = sub nuw i32 %n, [[HERE]]
// RANGE: icmp ult i32 %{{.*}}, [[LEFT]]
// REPORT: region 1  after a cut at {{.*}}rounds_that_go_to_another_row
// SOME: br i1 %fits, label %rounds, label %any
// SOME: call void @__weir_barrier(i32 0, i32 0)
// NONE-NOT: call void @__weir_barrier
kernel void rows(global const int *a, global int *b, uint n) {
    uint g = get_global_id(0), w = get_global_size(0);
    for (uint i = 0; i < n; i++)
        b[i * w + g] = a[i * w + g] + 1;
}
kernel void range(global const int *a, global int *b, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        b[i] = a[i] + 1;
}
kernel void sum(global const int *a, global int *b, uint n) {
    int s = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        s += a[i];
    b[get_global_id(0)] = s;
}
kernel void walk(global const int *a, global int *b, uint n) {
    for (uint i = 0; i < n; i++)
        b[get_global_id(0) * n + i] = a[i * n + get_global_id(0)] + 1;
}
kernel void slide(global const int *a, global int *b, uint n) {
    for (uint i = 0; i < n; i++)
        b[get_global_id(0)] |= a[i * n + get_global_id(0)];
}
kernel void vectors(global const float *a, global float *b, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        vstore4(vload4(i, a) * 2, i, b);
}
kernel void found(global const uint *a, global uint *b, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        b[a[i]] = a[i * 77 & 1023];
}
