// What work-items have computed, looked at as vectors of other elements and as numbers, and back.
// global: 504
// arg: long out[504]
// expect: out = i * 2 + 8 + (i + 1) * 4294967296 + i % 7
kernel void k(global long *out) {
    size_t g = get_global_id(0);
    long pair = as_long((int2)(g, g + 1));
    uchar16 bytes = as_uchar16((uint4)(g, g * 3, g ^ 5, g % 7));
    uint4 again = as_uint4((ushort8)(as_ushort8(bytes).s01234567));
    ulong2 halves = as_ulong2(again);
    float2 reals = as_float2(as_long((float2)(g + 0.5f, -(float)g)));
    double real = as_double(as_int2((double)g * 8));
    long wrong = (halves.x != ((ulong)(g * 3) << 32 | g)) + (halves.y >> 32 != g % 7) +
                 ((uint)halves.y != (g ^ 5)) + (reals.x + reals.y != 0.5f) + (real != g * 8.0);
    out[g] = pair + g + 8 + (halves.y >> 32) + wrong * 1000;
}
