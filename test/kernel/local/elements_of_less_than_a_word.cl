// Chars, shorts, halves, bools and vectors of them in local memory, by constant and other places, by pointers that take turns, that are
// chosen or moved on, and in an argument: under the checker each element has a word of its own.
// global: 64
// local: 32
// arg: int out[64] = 0
// arg: local bytes[64]
// expect: out = i % 32 == 31 ? 2000 + i % 32 : 1000 + i % 32
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global int *out, local uchar *bytes) {
    local char a[32], b[2][33];
    local short s[32];
    local half h[34];
    local bool is[32];
    local uchar4 v[32];
    local uchar3 three[32];
    local ushort last;
    uint l = get_local_id(0);
    int good = 0;
    a[l] = l - 16;
    b[0][l] = b[1][l] = l;
    if (l == 0) {
        b[1][32] = 77;
        b[0][32] = -77;
        last = 65535;
        h[33] = (half)0.5f;
    }
    s[l] = -1000 * (int)l;
    vstore_half(l * 0.25f, l, h);
    is[l] = l & 1;
    v[l] = (uchar4)(l, l + 1, l + 2, 255);
    v[l].y = 9;
    three[l] = (uchar3)(1, 2, l);
    bytes[l] = l;
    bytes[63 - l] = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint other = 31 - l;
    good += a[other] == (char)(15 - (int)l);
    good += b[1][32] == 77 && b[0][32] == -77 && b[1][other] == (char)other;
    good += s[other] == (short)(-1000 * (int)other) && last == 65535;
    good += vload_half(other, h) == other * 0.25f && vload_half(33, h) == 0.5f;
    good += is[other] == (other & 1);
    good += all(v[other] == (uchar4)(other, 9, other + 2, 255));
    good += three[other].z == other && three[other].y == 2;
    good += all(vload4(1, bytes) == (uchar4)(4, 5, 6, 7)) && bytes[32 + l] == 3;
    local char *now = l & 1 ? a : b[0], *end = a + 32;
    good += now[other] == (l & 1 ? (char)(15 - (int)l) : (char)other);
    int sum = 0;
    for (local char *p = a; p != end; p++)
        sum += *p;
    good += sum == -16;
    barrier(CLK_LOCAL_MEM_FENCE);
    local char *from = a, *to = b[1];
    for (int i = 0; i < 5; i++) {
        to[l] = from[(l + 1) & 31];
        barrier(CLK_LOCAL_MEM_FENCE);
        local char *t = from;
        from = to;
        to = t;
    }
    good += from[l] == (char)(((l + 5) & 31) - 16);
    out[get_global_id(0)] = good == 11 ? (l == 31 ? 2000 : 1000) + (int)l : good;
}
