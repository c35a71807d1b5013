// A round of a work-item's sum waits for the one before, however many rounds the code has; where its rows are short, what is left of
// unrolled ones costs a branch that is guessed wrong.
// RUN: %weirc %s --cpu x86-64-v3 --width 1 --local 64 --emit ll -o - | grep -c "= .*call float @llvm.fmuladd" | FileCheck %s
// CHECK: {{^[12]$}}
kernel void rows(global const int *begin, global const int *column, global const float *value,
                 global const float *x, global float *y) {
    int row = get_global_id(0);
    float sum = 0;
    for (int i = begin[row]; i < begin[row + 1]; i++)
        sum += value[i] * x[column[i]];
    y[row] = sum;
}
