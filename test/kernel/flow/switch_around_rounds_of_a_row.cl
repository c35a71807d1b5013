// What unrolls short loops once packs have branches alone must leave no switch.
// global: 16,8
// local: 8,4
// arg: uint out[128]
// arg: uint cells[2] = 0
// arg: uint arg = 5
// expect: out = i / 16 % LY == 0 ? 0 : i / 16 % LY == 1 ? 3 : i / 16 % LY == 2 ? 6 : 5
// expect: cells = i * 5
uint sum_of_rounds(uint a) {
    uint t[8];
    for (uint i = 0; i < 8; i++)
        t[i] = a;
    for (uint i = 0; i < (a & 7); i++)
        t[i & 3] += t[(a >> i) & 7];
    return t[a & 7] ^ t[0];
}
kernel void k(global uint *out, global uint *cells, uint arg) {
    local ushort own[512];
    uint l = get_local_linear_id(), y = get_local_id(1), x = get_global_linear_id();
    own[l * 2] = 7;
    switch ((1u ^ arg) & 3) {
    case 0:
        for (uint t = 0; t < (arg & 7); t++)
            own[l * 2] = sum_of_rounds(y);
    case 2:
        atomic_max(&cells[1], arg);
    }
    out[x] = own[l * 2];
}
