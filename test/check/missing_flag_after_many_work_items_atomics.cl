// finds: missing-fence 15 17
// global: 512
// local: 128
// arg: int count[1]
// arg: int out[512]
// With the volatile read each barrier is a fence of OpenCL C 1.x, too: what so many learn from so many is kept.
kernel void k(volatile global int *count, global int *out) {
    local int tile[128], sum;
    int l = get_local_id(0), n = get_local_size(0);
    if (l == 0)
        sum = *count;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int i = 0; i < 3; i++)
        atomic_add(&sum, i);
    tile[l] = l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = tile[(l + 7) % n];
}
