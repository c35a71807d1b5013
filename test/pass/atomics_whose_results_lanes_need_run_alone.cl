// Lanes that are on give their operands to an atomic and take its result back one after the other: that costs more than it gains.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK: 1: lanes part
kernel void k(global const int *first, global const int *to, global const int *weight, global int *distance) {
    local int d[64];
    local int changed;
    int l = get_local_id(0), g = get_group_id(0);
    d[l] = l ? 1 << 29 : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!l)
            changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        int mine = d[l];
        for (int e = first[g * 65 + l]; e < first[g * 65 + l + 1]; e++) {
            int next = mine + weight[e];
            if (next < atomic_min(&d[to[e]], next))
                changed = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (changed);
    distance[g * 64 + l] = d[l];
}
