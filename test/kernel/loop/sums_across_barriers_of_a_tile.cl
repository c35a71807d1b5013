// Sixteen sums per work-item across barriers, of a tile that every pack multiplies by: more values than registers.
// global: 16,4
// local: 16,4
// arg: uint a[1024] = i * 7 + 3
// arg: uint b[4096] = i * 5 + 1
// arg: uint out[1024]
// expect: out = sum(k, 0, 64, a[(i / 64) * 64 + k] * b[k * 64 + i % 64])
kernel void k(global const uint *a, global const uint *b, global uint *out) {
    local uint tile[16][17];
    uint x = get_local_id(0), y = get_local_id(1), column = y * 16 + x, sums[16];
    for (uint j = 0; j < 16; j++)
        sums[j] = 0;
    for (uint k = 0; k < 64; k += 16) {
        for (uint j = 0; j < 16; j += 4)
            tile[x][y + j] = a[(y + j) * 64 + k + x];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint i = 0; i < 16; i++) {
            uint v = b[(k + i) * 64 + column];
            for (uint j = 0; j < 16; j++)
                sums[j] += v * tile[i][j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint j = 0; j < 16; j++)
        out[(get_group_id(0) * 16 + j) * 64 + column] = sums[j];
}
