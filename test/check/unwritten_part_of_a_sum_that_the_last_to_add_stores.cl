// The last sum is read by the work-item that stored it, with no barrier between.
// finds: uninitialized-read 16 16
// global: 128
// local: 64
// arg: int in[100] = i
// arg: int out[2]
kernel void k(global const int *in, global int *out) {
    local int t[64];
    int l = get_local_id(0), g = get_global_id(0);
    if (g < 100)
        t[l] = in[g];
    for (int d = 32; d; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) t[l] += t[l + d];
    }
    if (l == 0) out[get_group_id(0)] = t[0];
}
