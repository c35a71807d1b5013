// Quotients and remainders by constants as rows of a matrix: packs go from a row on to the next, or through three; some work-items have
// none, some write; an index that is below 0 in those that have none; three dimensions; elements of other sizes.
// global: 128
// local: 64
// arg: uint in[1024] = i * 7 % 1013
// arg: uint pitch = 40
// arg: uint out[128]
// arg: uint some[128] = 5
// arg: uint on[128] = i < 36 && i != 18
// arg: uint inner[128] = 5
// arg: uint stored[1024] = 0
// arg: ulong wide[1024] = i * 3
// arg: uchar bytes[1024] = i % 251
// arg: ulong sums[128]
// expect: out = ((i % 64 / 18 * 40 + i % 64 % 18 + 3) * 7 % 1013) * 3 + (((i % 64 + 64) / 10 * 40 + (i % 64 + 64) % 10) * 7 % 1013) + ((i % 64 / 108 * 200 + i % 64 / 18 % 6 * 40 + i % 64 % 18) * 7 % 1013) * 5
// expect: some = i % 64 < 3 || i % 3 == 1 ? 5 : ((i % 64 - 3) / 11 * 40 + (i % 64 - 3) % 11) * 7 % 1013
// expect: inner = i < 36 && i != 18 ? (39 + i % 18 - i / 18 * 40) * 7 % 1013 : 5
// expect: stored = i % 32 < 19 && i / 32 * 19 + i % 32 < 128 ? i / 32 * 19 + i % 32 + 1 : 0
// expect: sums = (i / 17 * 40 + i % 17) * 3 + ((i / 9 * 40 + i % 9 * 2) % 1024 * 3) + (i / 21 * 40 + i % 21) % 251
kernel void k(global const uint *in, uint pitch, global uint *out, global uint *some, global const uint *on, global uint *inner, global uint *stored,
              global const ulong *wide, global const uchar *bytes, global ulong *sums) {
    local uint s[128];
    uint l = get_local_id(0), g = get_global_id(0);
    for (uint i = l; i < 100; i += 64)
        s[i] = in[i / 18 * pitch + i % 18 + 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint box = in[l / 108 * 5 * pitch + l / 18 % 6 * pitch + l % 18];
    out[g] = s[l] * 3 + in[(l + 64) / 10 * pitch + (l + 64) % 10] + box * 5;
    if (l >= 3 && g % 3 != 1) {
        uint i = l - 3;
        some[g] = in[i / 11 * pitch + i % 11];
    }
    if (on[g]) /* else it may be below 0 */
        inner[g] = in[39 + g % 18 - g / 18 * pitch];
    stored[g / 19 * 32 + g % 19] = g + 1;
    size_t n = g;
    sums[g] = wide[n / 17 * pitch + n % 17] + wide[n / 9 * pitch + n % 9 * 2] + bytes[g / 21 * pitch + g % 21];
}
