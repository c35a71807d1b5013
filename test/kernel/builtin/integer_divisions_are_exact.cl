// Quotients and remainders of 8 to 64 bits are those of a division bit by bit: of numbers near multiples of the divisor
// and near the ends of their range, by one number for all work-items and by another for each.
// global: 504
// local: 63
// arg: uint near[16] = i < 4 ? i : i < 8 ? 65532 + i : i < 12 ? 2147483640 + i : 4294967280 + i
// arg: int wrong[504]
// expect: wrong = 0
ulong by_bits(ulong x, ulong d, ulong *rest) {
    ulong q = 0, r = 0;
    for (int bit = 63; bit >= 0; bit--) {
        bool over = r >> 63;
        r = r << 1 | (x >> bit & 1);
        if (over || r >= d) {
            r -= d;
            q |= 1ul << bit;
        }
    }
    *rest = r;
    return q;
}
// The quotient and the remainder that are expected.
ulong2 expected(long x, long d, bool is_signed) {
    ulong rest, q = by_bits(is_signed ? abs(x) : (ulong)x, is_signed ? abs(d) : (ulong)d, &rest);
    bool minus = is_signed && (x < 0) != (d < 0);
    return (ulong2)(minus ? -q : q, is_signed && x < 0 ? -rest : rest);
}
#define CHECK(T, is_signed, x, d)                                                                                     \
    {                                                                                                                 \
        T a = (T)(x), b = (T)(d);                                                                                     \
        b = b == 0 || (is_signed && b == (T)-1) ? (T)1 : b;                                                           \
        ulong2 want = expected((long)a, (long)b, is_signed);                                                          \
        bad += (T)(a / b) != (T)want.s0;                                                                               \
        bad += (T)(a % b) != (T)want.s1;                                                                               \
    }
#define CHECK_ALL(x, d)                                                                                               \
    CHECK(uchar, false, x, d) CHECK(char, true, x, d) CHECK(ushort, false, x, d) CHECK(short, true, x, d)             \
    CHECK(uint, false, x, d) CHECK(int, true, x, d) CHECK(ulong, false, (ulong)(uint)(x), (ulong)(d) << (d & 15))     \
    CHECK(ulong, false, (ulong)(x) * 3, d) CHECK(long, true, (long)(int)(x) * 5, d)
kernel void k(global const uint *near, global int *wrong) {
    uint g = get_global_id(0), bad = 0;
    for (int i = 0; i < 16; i++) {
        uint d = near[i], mine = near[g % 16] * (g * 2654435761u), x = near[(g + i) % 16] - (g & 3);
        uint multiple = mine / (d ? d : 1) * d;
        for (int form = 0; form < 3; form++) {
            CHECK_ALL(form == 0 ? x : form == 1 ? multiple : multiple - 1, d)
            CHECK_ALL(form == 0 ? mine : form == 1 ? x * (mine & 0xff) : x * (mine & 0xff) - 1, x)
        }
    }
    wrong[g] = bad;
}
