// Counters of each work-item's own, which it finds by what it has read, count what it has read, in all types, with and without
// conditions; what is read of them in between is what they were.
// global: 128
// local: any
// arg: int wrong[128]
// expect: wrong = 0
#define MANY 1024
kernel void k(global int *wrong) {
    local uchar bytes[4 * MANY];
    local short shorts[4 * MANY];
    local uint ints[4 * MANY];
    local long longs[4 * MANY];
    local int digits[MANY];
    int l = get_local_linear_id(), n = get_local_size(0) * get_local_size(1) * get_local_size(2), bad = 0;
    digits[l] = l * 37 % 101;
    for (int d = 0; d < 4; d++) {
        bytes[d * n + l] = 250;
        shorts[d * n + l] = 7;
        ints[d * n + l] = 0xff00ffu;
        longs[d * n + l] = 1l << 40;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar byte[4] = {250, 250, 250, 250};
    short number[4] = {7, 7, 7, 7};
    uint mask[4] = {0xff00ffu, 0xff00ffu, 0xff00ffu, 0xff00ffu};
    long large[4] = {1l << 40, 1l << 40, 1l << 40, 1l << 40};
    for (int i = 0; i < n; i++) {
        int v = digits[(i + l) % n], d = v & 3, at = d * n + l;
        bytes[at]++;
        byte[d]++;
        if (v > 20) {
            shorts[at] -= v;
            number[d] -= v;
        }
        ints[at] ^= v;
        mask[d] ^= v;
        ints[at] |= 1u << d;
        mask[d] |= 1u << d;
        long before = longs[at];
        longs[at] = before + v; /* the old one is used, too */
        bad += before != large[d];
        large[d] += v;
        if (v & 1)
            longs[at] &= ~1l;
        large[d] = v & 1 ? large[d] & ~1l : large[d];
        shorts[at] = 3 - shorts[at]; /* no subtraction from what is there */
        number[d] = 3 - number[d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 4; d++)
        bad += bytes[d * n + l] != byte[d] || shorts[d * n + l] != number[d] || ints[d * n + l] != mask[d] ||
               longs[d * n + l] != large[d];
    wrong[get_global_linear_id()] = bad;
}
