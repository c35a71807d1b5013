// Bytes 0, 1, 127, 128 and 255 in all places of both operands, with and without signs, added to numbers near the ends of their
// range.
// global: 390625
// arg: uchar out[390625]
// expect: out = 0
long part(uint x, int n, bool is_signed) {
    uint byte = x >> 8 * n & 255;
    return is_signed && byte > 127 ? (long)byte - 256 : byte;
}
long sum(uint a, uint b, bool signed_a, bool signed_b) {
    long s = 0;
    for (int n = 0; n < 4; n++)
        s += part(a, n, signed_a) * part(b, n, signed_b);
    return s;
}
uchar differs(long acc, uint a, uint b) {
    long uu = sum(a, b, false, false), ss = sum(a, b, true, true);
    long us = sum(a, b, false, true), su = sum(a, b, true, false);
    bool bad = dot(as_uchar4(a), as_uchar4(b)) != uu || dot(as_char4(a), as_char4(b)) != ss;
    bad |= dot(as_uchar4(a), as_char4(b)) != us || dot(as_char4(a), as_uchar4(b)) != su;
    bad |= dot_4x8packed_uu_uint(a, b) + (uint)acc != (uint)(acc + uu);
    bad |= dot_4x8packed_ss_int(a, b) + (int)acc != (int)(acc + ss);
    bad |= (int)acc + dot_4x8packed_us_int(a, b) != (int)(acc + us);
    bad |= (int)acc - dot_4x8packed_su_int(a, b) != (int)(acc - su);
    bad |= dot_acc_sat(as_uchar4(a), as_uchar4(b), (uint)acc) != clamp((long)(uint)acc + uu, 0l, (long)UINT_MAX);
    long low = INT_MIN, high = INT_MAX;
    bad |= dot_acc_sat(as_char4(a), as_char4(b), (int)acc) != clamp((int)acc + ss, low, high);
    bad |= dot_acc_sat_4x8packed_us_int(a, b, (int)acc) != clamp((int)acc + us, low, high);
    bad |= dot_acc_sat_4x8packed_su_int(a, b, (int)acc) != clamp((int)acc + su, low, high);
    return bad;
}
kernel void k(global uchar *out) {
    size_t g = get_global_id(0);
    uint edges[] = {0, 1, 127, 128, 255}, a = 0, b = 0, rest = g;
    for (int n = 0; n < 4; n++, rest /= 25) {
        a = a << 8 | edges[rest % 5];
        b = b << 8 | edges[rest / 5 % 5];
    }
    uint shared = edges[get_group_id(0) % 5] * 0x1010101;
    out[g] = differs(0, a, b) | differs(INT_MAX - 5, a, b) | differs(INT_MIN + 5, a, b) |
             differs((long)UINT_MAX - 5, a, b) | differs(7, a, shared) | differs(7, shared, b);
}
