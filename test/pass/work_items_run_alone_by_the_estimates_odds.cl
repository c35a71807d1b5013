// Which kernels run one work-item at a time depends on how often loops are gone around. A loop whose number of rounds is read from
// memory mostly has some: packs of a queue gain by that. Rows of a sparse matrix are too short for packs that gather, also where each
// element is divided, which packs do faster: lanes leave at different times, and addresses of those that have left are chosen first.
// RUN: %weirc %s --kernel queue --local 128 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=PACKS
// RUN: %weirc %s --kernel rows --local 128 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=ALONE
// RUN: %weirc %s --kernel ranks --local 128 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=ALONE
// PACKS: width {{ *}}8
// PACKS-NOT: {{^ *}}1: lanes part
// ALONE: {{^ *}}1: lanes part
kernel void queue(global const int *rounds, global int *out) {
    local int next;
    if (get_local_id(0) == 0)
        next = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (;;) {
        int i = atomic_inc(&next);
        if (i >= 512)
            break;
        int n = rounds[get_group_id(0) * 512 + i], v = i;
        while (n-- > 0)
            v = v * 5 + 1;
        out[get_group_id(0) * 512 + i] = v;
    }
}

kernel void rows(global const int *first, global const int *column, global const float *values, global const float *x,
                 global float *y) {
    int row = get_global_id(0);
    float sum = 0;
    for (int e = first[row]; e < first[row + 1]; e++)
        sum += values[e] * x[column[e]];
    y[row] = sum;
}

kernel void ranks(global const int *first, global const int *from, global const float *rank, global const int *links,
                  global float *next) {
    int node = get_global_id(0);
    float sum = 0;
    for (int e = first[node]; e < first[node + 1]; e++)
        sum += rank[from[e]] / links[from[e]];
    next[node] = sum;
}
