// Where the first dimension of the work-group has one work-item, packs lie along the longest of the others.
// RUN: %weirc %s --kernel norm --local 1,64 --report text | FileCheck %s --check-prefix=SECOND
// RUN: %weirc %s --kernel norm --local 1,2,64 --report text | FileCheck %s --check-prefix=THIRD
// RUN: %weirc %s --kernel norm --local 64,1 --report text | FileCheck %s --check-prefix=FIRST
// SECOND-NOT: width {{ *}}1{{$}}
// SECOND: packs lie along dimension 1, as the first one has one work-item
// SECOND: load {{ *}}global float {{ *}}contiguous
// THIRD: packs lie along dimension 2, as the first one has one work-item
// FIRST-NOT: packs lie along
kernel void norm(global const float *a, global float *sums, int n, int m) {
    size_t column = get_global_id(1), sheet = get_global_id(2);
    float sum = 0;
    for (int i = 0; i < m; i++)
        sum += a[i * n + column] * a[i * n + column];
    sums[sheet * n + column] = sqrt(sum);
}
