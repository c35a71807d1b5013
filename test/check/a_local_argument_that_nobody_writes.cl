// finds: uninitialized-read 10 10
// illegal: finishes
// global: 32
// local: 32
// arg: local tile[512]
// arg: float out[128]
kernel void k(local float4 *tile, global float *out) {
    size_t l = get_local_id(0);
    if (l != 7) tile[l] = (float4)(1.0f); barrier(CLK_LOCAL_MEM_FENCE);
    vstore4(tile[31 - l] * 2.0f, l, out);
}
