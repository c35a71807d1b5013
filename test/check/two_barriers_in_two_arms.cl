// finds: barrier-divergence 9 11
// illegal: finishes
// global: 128
// local: 64
// arg: int out[128]
kernel void k(global int *out) {
    size_t l = get_local_id(0);
    if (l % 2)
        barrier(CLK_LOCAL_MEM_FENCE);
    else
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l;
}
