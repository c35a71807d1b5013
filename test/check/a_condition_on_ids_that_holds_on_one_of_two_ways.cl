// Of the two ways to a store one comes around the condition that would keep work-items apart.
// global: 64
// local: 64
// arg: int in[64] = 7
// arg: int out[64]
// finds: data-race 13 13
kernel void k(global const int *in, global int *out) {
    local int best[64];
    uint l = get_local_id(0);
    best[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32 || in[l] == 7)
        best[l] = best[l ^ 32] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = best[l];
}
