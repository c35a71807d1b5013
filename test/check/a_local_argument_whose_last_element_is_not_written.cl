// finds: uninitialized-read 11 10
// illegal: finishes
// global: 32
// local: 32
// arg: local tile[132]
// arg: float out[32]
kernel void k(local float *tile, global float *out) {
    size_t l = get_local_id(0);
    tile[l] = l; barrier(CLK_LOCAL_MEM_FENCE);
    float x = tile[l + 1];
    out[l] = x;
}
