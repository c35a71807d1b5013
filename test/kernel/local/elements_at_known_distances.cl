// Padded rows, exchanges by xor, fields of bits, several work-items for one element, a few elements apart, pairs, downwards:
// all by constants, in memory of one group and of all, with all work-items and some.
// global: 128
// local: 64
// arg: int out[128]
// arg: int a[1024] = i
// arg: int from = 1
// expect: out = 1
#define EACH(X)                                                                                              \
    X(l / 8 * 9 + l % 8)                                                                                     \
    X(l / 4 * 5 + l % 4 + 3)                                                                                 \
    X((l ^ 5) + 2) X((l | 3) - (l & 3)) X((l & 3) << 2 | (l >> 2 & 3) | (l & ~15))                           \
    X(2 * l + 1) X(3 * l + 2) X(200 - 2 * l) X(l + (l >> 3))
#define SHARED(X) X(l / 4 + 7) X((uchar)(l ^ 3) / 8) X((short)(l & 10) + 1)

kernel void k(global int *out, global int *a, int from) {
    local int s[512], t[512];
    local uchar bytes[512];
    local ulong longs[512];
    int l = get_local_id(0), right = 1, base = 512 * get_group_id(0);
    for (int i = l; i < 512; i += 64)
        s[i] = t[i] = i, bytes[i] = i, longs[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
#define READ(at)                                                                                             \
    right &= s[at] == (at) && a[base + (at)] == base + (at) && bytes[at] == (uchar)(at) && longs[at] == (at);  \
    if (l % 3 != from)                                                                                       \
        right &= s[from + (at)] == from + (at) && a[base + (at)] == base + (at) && bytes[at] == (uchar)(at);
    EACH(READ)
    SHARED(READ)
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#define WRITE(at)                                                                                            \
    t[at] = -(at);                                                                                           \
    bytes[at] = (at) + 1;                                                                                    \
    longs[at] = (at) + 1;                                                                                    \
    if (l % 3 != from)                                                                                       \
        s[at] = -(at), a[base + (at)] = -(at);                                                               \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                                     \
    right &= t[at] == -(at) && bytes[at] == (uchar)((at) + 1) && longs[at] == (at) + 1;                       \
    right &= s[at] == (l % 3 != from ? -(at) : (at));                                                        \
    right &= a[base + (at)] == (l % 3 != from ? -(at) : base + (at));                                        \
    int sum = 0, count = 0;                                                                                  \
    for (int i = 0; i < 512; i++) { /* none but these */                                                     \
        count += t[i] != i;                                                                                  \
        sum += (s[i] != i) + (a[base + i] != base + i);                                                      \
    }                                                                                                        \
    right &= count >= 63 && count <= 64 && sum <= 2 * 43 && sum >= 2 * 41;                                   \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                                     \
    t[at] = s[at] = (at), a[base + (at)] = base + (at);                                                      \
    bytes[at] = longs[at] = (at);                                                                            \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#define WRITE_IN_BLOCK(at) {WRITE(at)}
    EACH(WRITE_IN_BLOCK)
    out[get_global_id(0)] = right;
}
