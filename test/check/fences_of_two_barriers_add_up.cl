// finds: nothing
// global: 256
// local: 64
// arg: int a[256] = i
// arg: int out[256]
kernel void k(global int *a, global int *out) {
    local int tile[64];
    size_t l = get_local_id(0), g = get_global_id(0), first = g - l;
    a[g] *= 2;
    tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] = a[first + 63 - l] + tile[63 - l];
}
