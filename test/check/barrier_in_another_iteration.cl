// finds: barrier-divergence 10 10
// illegal: finishes
// global: 128
// local: 64
// arg: int out[128]
kernel void k(global int *out) {
    size_t l = get_local_id(0);
    for (int i = 0; i < 4; i++)
        if (l < 7 ? i < 3 : i > 0)
            barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l;
}
