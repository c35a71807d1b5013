// Tiles of 20 x 20 and 24 x 24 elements of less than a word, of which packs read the end of one row and the beginning of the next: at
// the buffer's end, too.
// global: 16,48
// local: 16,16
// arg: int out[768]
// arg: uchar bytes[3600] = i * 7
// arg: ushort shorts[3600] = i * 7
// expect: out = ((i / 256 * 20 + i / 16 % 16 + 4) * 60 + i % 16 + 4) * 7 % 256 + ((i / 256 * 17 + i / 16 % 16 + 8) * 60 + i % 16 + 44) * 7
kernel void k(global int *out, global const uchar *bytes, global const ushort *shorts) {
    local uchar b[20][20];
    local ushort s[24][24];
    int x = get_local_id(0), y = get_local_id(1), l = y * 16 + x, g = get_group_id(1);
    for (int i = l; i < 400; i += 256)
        b[i / 20][i % 20] = bytes[(g * 20 + i / 20) * 60 + i % 20];
    for (int i = l; i < 576; i += 256)
        s[i / 24][i % 24] = shorts[(g * 17 + i / 24) * 60 + 36 + i % 24];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g * 256 + l] = b[y + 4][x + 4] + s[y + 8][x + 8];
}
