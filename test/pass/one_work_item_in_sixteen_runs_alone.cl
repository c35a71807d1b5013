// One work-item in sixteen goes along its part of a row, where each element it reads lies beside the one that it has just written. A pack
// has hardly a lane on, and would wait for each store before it can read what is partly in it.
// RUN: %weirc %s --local 256,1,1 --cpu x86-64-v3 --report text | FileCheck %s
// CHECK: 1: nothing is gained by lanes
kernel void k(global const uchar *in, global uchar *out) {
    local uchar t[288];
    int l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 16 == 0)
        for (int i = 1; i < 16; i++)
            t[l + i] = max(t[l + i], t[l + i - 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l];
}
