// Each round adds to global memory, once before a barrier and once after it, what another work-item has put into the tile.
// global: 128
// local: 64
// arg: uint out[128] = 1
// expect: out = 13 + 4 * (i - F + (i - F + 1) % 64)
kernel void k(global uint *out) {
    local uint tile[64];
    uint l = get_local_id(0), g = get_global_id(0);
    for (uint round = 0; round < 4; round++) {
        for (uint i = 0; i < 2; i++) {
            out[g] += i * l;
            tile[l] = out[g] - out[g] + l + round;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < 2; i++)
            out[g] += (tile[(l + 1) % 64]) * i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] += 6;
}
