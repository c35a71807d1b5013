// What a work-item reads again may have been stored meanwhile: by itself at the same place, at one that overlaps, or at one that
// is the same for some work-items only.
// global: 128
// local: 64
// arg: uint in[128] = i * 7 + 1
// arg: uint out[128] = 0
// arg: uint zero = 0
// expect: out = i % 64 * 3 + 111111
kernel void k(global const uint *in, global uint *out, uint zero) {
    local uint s[256];
    local ushort *halves = (local ushort *)s;
    uint l = get_local_id(0), sum = 0;
    for (uint i = 0; i < 4; i++)
        s[4 * l + i] = in[l] + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint a = 4 * l, b = 4 * l + 1, c = 4 * l + 1 + zero, d = 4 * l + (l & 1), t = s[a], f = in[l];
    s[a] = s[b]; /* another one */
    s[b] += t;
    sum += s[b] == 2 * f + 1 && s[a] == f + 1 ? 1 : 0;
    s[c] = 5; /* b's own, by another name */
    sum += s[b] == 5 ? 10 : 0;
    s[d] = 6; /* a or b */
    sum += s[a] == (l & 1 ? f + 1 : 6) && s[b] == (l & 1 ? 6 : 5) ? 100 : 0;
    halves[2 * b + 1] = 7; /* a part of it */
    sum += s[b] == (l & 1 ? 0x70006 : 0x70005) ? 1000 : 0;
    s[4 * l + 2 + 0x40000000u * zero] = 8;
    sum += s[4 * l + 2] == 8 ? 10000 : 0;
    s[b + 2] = l * 3;
    uint before = s[a + 3];
    s[(a + 3) ^ zero] += 1;
    sum += s[a + 3] == before + 1 ? 100000 : 0;
    out[get_global_id(0)] = sum + before;
}
