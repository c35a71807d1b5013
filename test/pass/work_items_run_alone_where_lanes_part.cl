// Work-items run one by one where packs lose by far: their lanes part in loops around gathers and scatters. The report says where
// lanes part and what the estimates are. They don't where there is little but arithmetic, where a binary search takes all lanes as
// long, where the width is asked for, and where the program may know it as that of sub-groups.
// RUN: %weirc %s --kernel queens --local 64 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=ALONE
// RUN: %weirc %s --kernel queens --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=ALONE
// RUN: %weirc %s --kernel queens --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=ALONE
// RUN: %weirc %s --kernel edges --local 64 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=EDGES
// RUN: %weirc %s --kernel edges --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=EDGES
// RUN: %weirc %s --kernel edges --local 64 --cpu x86-64-v4 --width 8 --report text | FileCheck %s --check-prefix=ASKED
// RUN: %weirc %s --kernel escape --local 64 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=PACKS
// RUN: %weirc %s --kernel escape --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=PACKS
// RUN: %weirc %s --kernel bisect --local 64 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=PACKS
// RUN: %weirc %s --kernel bisect --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=PACKS
// RUN: %weirc %s --kernel sub_groups --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=PACKS
// ALONE: {{^ *}}1: lanes part: about {{[0-9.]+}} cycles per work-item, {{[0-9.]+}} in packs of {{[0-9]+}} at {{.*}}:28
// EDGES: {{^ *}}1: lanes part: about {{[0-9.]+}} cycles per work-item, {{[0-9.]+}} in packs of {{[0-9]+}} at {{.*}}:55
// ASKED: width {{ *}}8
// ASKED-NOT: lanes part
// PACKS-NOT: lanes part:
kernel void queens(global const uint *columns, global uint *found, int n) {
    local uint column[16 * 64], left[16 * 64], right[16 * 64], free[16 * 64];
    int l = get_local_id(0), depth = 0;
    uint all = (1u << n) - 1, count = 0;
    column[l] = columns[get_global_id(0)];
    left[l] = column[l] << 1;
    right[l] = column[l] >> 1;
    free[l] = all & ~(column[l] | left[l] | right[l]);
    while (depth >= 0) {
        int at = depth * 64 + l;
        uint bit = free[at] & -free[at];
        if (!bit) {
            depth--;
            continue;
        }
        free[at] ^= bit;
        uint c = column[at] | bit, a = (left[at] | bit) << 1, b = (right[at] | bit) >> 1;
        if (c == all) {
            count++;
            continue;
        }
        depth++;
        column[at + 64] = c;
        left[at + 64] = a;
        right[at + 64] = b;
        free[at + 64] = all & ~(c | a | b);
    }
    found[get_global_id(0)] = count;
}

kernel void edges(global const int *first, global const int *to, global const int *wave, global int *cost,
                  global int *next) {
    int node = get_global_id(0);
    if (wave[node]) {
        int end = first[node + 1];
        for (int e = first[node]; e < end; e++) {
            int v = to[e];
            if (cost[v] < 0) {
                cost[v] = cost[node] + 1;
                next[v] = 1;
            }
        }
    }
}

kernel void escape(global int *rounds, int w) {
    float x = 0, y = 0, cx = (float)get_global_id(0) / w, cy = (float)get_global_id(1) / w;
    int n = 0;
    while (n < 256 && x * x + y * y < 4) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
    }
    rounds[get_global_id(1) * w + get_global_id(0)] = n;
}

kernel void bisect(global const int *sorted, global int *values, int n) {
    int v = values[get_global_id(0)], low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    values[get_global_id(0)] = low;
}

kernel void sub_groups(global const int *first, global const int *to, global int *sums) {
    int node = get_global_id(0), sum = 0;
    for (int e = first[node]; e < first[node + 1]; e++)
        sum += to[to[to[to[e]]]];
    sums[node] = sum + sub_group_reduce_add(sum);
}
