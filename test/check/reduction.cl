// finds: nothing
// global: 256
// local: 64
// arg: int in[256] = i
// arg: int out[4]
kernel void k(global const int *in, global int *out) {
    local int sum[64];
    size_t l = get_local_id(0);
    sum[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t n = 32; n; n /= 2) {
        if (l < n)
            sum[l] += sum[l + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!l)
        out[get_group_id(0)] = sum[0];
}
