// Elements of a table of constants that fits in registers are permuted, not gathered: eight registers with AVX-512 and at least two
// with AVX2, whatever the type, also of a private array that is only read; larger ones are gathered.
// RUN: %weirc %s --kernel small --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=SMALL
// RUN: %weirc %s --kernel small --local 64 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=SMALL
// RUN: %weirc %s --kernel longer --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=SMALL
// RUN: %weirc %s --kernel longer --local 64 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=LARGE
// RUN: %weirc %s --kernel large --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=LARGE
// SMALL-NOT: gather
// SMALL: load {{.*}}constant {{.*}}wide load and shuffle
// SMALL-NOT: gather
// LARGE: load {{.*}}constant {{.*}}gather
#define R16 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
constant int of_16[16] = {R16}, of_64[64] = {R16, R16, R16, R16}, of_144[144] = {R16, R16, R16, R16, R16, R16, R16, R16, R16};
constant char bytes[16] = {R16};
kernel void small(global const uint *n, global int *out) {
    const float own[4] = {1, 0, -1, 7};
    uint i = get_global_id(0), x = n[i];
    out[i] = of_16[x & 15] + bytes[x >> 4 & 15] * (int)own[x >> 8 & 3];
}
kernel void longer(global const uint *n, global int *out) {
    out[get_global_id(0)] = of_64[n[get_global_id(0)] & 63];
}
kernel void large(global const uint *n, global int *out) {
    out[get_global_id(0)] = of_144[n[get_global_id(0)] % 144];
}
