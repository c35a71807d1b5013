// Quotient and remainder of one number as indices of a tile, in two and three dimensions, and of other numbers.
// global: 64
// local: 64
// arg: uint in[256] = i * 7 % 101
// arg: uint out[64]
// expect: out = in[i] + in[i + 64] * 3 + in[i % 60] * 5 + in[i / 7 * 8 + i % 7]
kernel void k(global const uint *in, global uint *out) {
    local uint tile[8][18], box[4][5][6], squares[8][16], odd[16][8];
    uint l = get_local_id(0);
    for (uint i = l; i < 8 * 18; i += 64)
        tile[i / 18][i % 18] = in[i];
    for (uint i = l; i < 4 * 5 * 6; i += 64)
        box[i / 30][i / 6 % 5][i % 6] = in[i % 60];
    for (uint i = l; i < 8 * 16; i += 64)
        squares[i / 16][i % 16] = in[i];
    odd[l / 7][l % 7] = in[l / 7 * 8 + l % 7];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = tile[l / 18][l % 18] + squares[4 + l / 16][l % 16] * 3 + box[l / 30][l / 6 % 5][l % 6] * 5 + odd[l / 7][l % 7];
}
