// finds: nothing
// global: 128
// local: 64
// arg: int out[128]
kernel void k(global int *out) {
    local uint t[194];
    int l = get_local_id(0);
    t[l] = t[l + 64] = t[l + 128] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore2((uint2)(l, 0), l, t + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[2 * l + 1];
}
