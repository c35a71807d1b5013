// How many of a group's work-items a comparison of an id with a number lets through is known, and that they are in few packs, also where
// data parts them then: two vectors per value lose little in a tree's last rounds.
// RUN: %weirc %s --kernel tree --local 256 --cpu x86-64-v3 --report text | FileCheck %s
// CHECK: 16: about
kernel void tree(global const float *in, global float *out) {
    local float s[256];
    local int id[256];
    int t = get_local_id(0);
    s[t] = in[get_global_id(0)];
    id[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 128; d > 0; d /= 2) {
        if (t < d && s[t + d] > s[t]) {
            s[t] = s[t + d];
            id[t] = id[t + d];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        for (int i = 0; i < 64; i++)
            out[get_group_id(0) * 64 + i] = id[(id[0] + i) % 256];
}
