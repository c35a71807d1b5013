// finds: barrier-flags-mismatch 8 8
// illegal: finishes
// global: 128
// local: 64
// arg: int out[128]
kernel void k(global int *out) {
    size_t l = get_local_id(0);
    barrier(l < 3 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = l;
}
