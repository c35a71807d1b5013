// Columns of a tile, each work-item's its row: those that leave it out keep theirs, and so does what lies between and around.
// global: 64
// local: 64 32 16 4
// arg: int out[1088]
// arg: int most = 11
// expect: out = i % 17 == 3 && i / 17 % LX % 16 < 11 && i / 17 % LX % 5 ? i / 17 % LX * 17 * 7 + 27 : i % 17 == 5 && i / 17 % LX % 16 < 11 && i / 17 % LX % 5 ? i / 17 % LX * 17 * 3 + 9 : i / 17 % LX * 17 + i % 17
kernel void k(global int *out, int most) {
    local int s[64][17];
    int l = get_local_id(0);
    for (int c = 0; c < 17; c++)
        s[l][c] = l * 17 + c;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 16 < most && l % 5) {
        s[l][5] = s[l][3];
        for (int i = 0; i < 2; i++)
            s[l][5] += s[l][3];
        s[l][3] = s[l][3] * 4 + s[l][5] + 6;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = 0; c < 17; c++)
        out[get_global_id(0) * 17 + c] = s[l][c];
}
