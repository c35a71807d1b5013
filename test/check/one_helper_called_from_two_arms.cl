// finds: barrier-divergence 7 7
// illegal: finishes
// global: 128
// local: 64
// arg: int out[128]
void meet(void) {
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void k(global int *out) {
    size_t l = get_local_id(0);
    if (l < 10)
        meet();
    else
        meet();
    out[get_global_id(0)] = l;
}
