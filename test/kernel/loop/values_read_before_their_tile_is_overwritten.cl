// More values than registers are read from local memory, which is overwritten before they are used.
// global: 16,4
// local: 16,4
// arg: uint in[64] = i + 3
// arg: uint out[64]
// expect: out = sum(j, 0, 64, (j + 3) * (7 + i + j))
kernel void k(global const uint *in, global uint *out) {
    local uint tile[64];
    uint l = get_local_id(1) * 16 + get_local_id(0), v[64], sum = 0;
    tile[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < 64; j++)
        v[j] = tile[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = tile[63 - l] + l;
#pragma unroll
    for (uint j = 0; j < 64; j++)
        sum += v[j] * (x + j);
    out[l] = sum;
}
