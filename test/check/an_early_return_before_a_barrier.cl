// finds: barrier-divergence 11
// illegal: finishes
// global: 128
// local: 64
// arg: int out[128]
kernel void k(global int *out) {
    local int tile[64];
    size_t l = get_local_id(0);
    if (l == 5)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l;
}
