// finds: nothing
// global: 128
// local: 64
// arg: int a[128] = i
// arg: int out[128] = 0
// Each element is one work-item's own; those that a pack leaves out keep who has accessed them.
kernel void k(global int *a, global int *out) {
    local int tile[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    tile[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 4; i++) {
        if (l % 16 < 5 + i)
            tile[l] += a[g];
        else
            a[g] += tile[l];
        if (l % 16 >= 5 + i)
            tile[l] += 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[63 - l] + a[g];
}
