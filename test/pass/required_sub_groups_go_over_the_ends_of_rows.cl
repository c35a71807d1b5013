// The report says where sub-groups of the size that a kernel requires go over the ends of rows.
// RUN: %weirc %s --local 5,8 --report text | FileCheck %s --check-prefix=OVER
// RUN: %weirc %s --local 32,2 --report text | FileCheck %s --check-prefix=ROWS
// OVER: 16: sub-groups of the required size go over the ends of rows
// ROWS-NOT: over the ends
kernel __attribute__((intel_reqd_sub_group_size(16))) void k(global int *out) {
    out[get_global_linear_id()] = sub_group_reduce_add(1);
}
