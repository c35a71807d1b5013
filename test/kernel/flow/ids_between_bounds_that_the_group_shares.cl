// Packs know by their first and last places where several comparisons of ids hold, also where numbers wrap around, bounds cross
// or ids are beyond all of them. The same is asked of ids that are read from memory.
// global: 192
// local: 96
// arg: uint ids[192] = i % 96
// arg: uint counts[192] = 0
// arg: uint out[192] = 1
// arg: int step = 9
// expect: out = 0
#define ALL(L, G)                                                                                            \
    do {                                                                                                     \
        uint u = (L) + low, v = (L) - 7u, down = 80u - (L);                                                  \
        if ((int)(L) >= low && (int)(L) < high)                                                              \
            counts[G] += 1;                                                                                  \
        if (u < most && (L) != 17 && (int)(L) > low)                                                         \
            counts[G] += 10;                                                                                 \
        if (u > most && u <= most + 30)                                                                      \
            counts[G] += 100;                                                                                \
        if (v < 60 && v >= most)                                                                             \
            counts[G] += 1000;                                                                               \
        if (down > most && down < 0x80000010u)                                                               \
            counts[G] += 10000;                                                                              \
        if ((long)(L) + far > far + low && (long)(L) + far <= far + high)                                    \
            counts[G] += 100000;                                                                             \
        if ((L) == most && (int)(L) < high)                                                                  \
            counts[G] += 1000000;                                                                            \
        if (!((L) < most || (int)(L) > high))                                                                \
            counts[G] += 10000000;                                                                           \
        if ((L) + 0x7fffffc0u < 0x80000000u + most && (L) + 0x7fffffc0u >= 0x7ffffff0u)                      \
            counts[G] += 100000000;                                                                          \
        if ((long)(L) + (LONG_MAX - 100) > LONG_MAX - 60 + low % 30 && (L) < most)                           \
            counts[G] += 1000000000;                                                                         \
    } while (0)
kernel void k(global const uint *ids, global uint *counts, global uint *out, int step) {
    uint l = get_local_id(0), g = get_global_id(0), known = ids[g], sum = 0;
    long far = (long)step << 56;
    for (int low = -60; low < 130; low += step) {
        int high = 90 - low / 3;
        uint most = (uint)(low + 20);
        counts[g] = 0;
        ALL(l, g);
        uint got = counts[g];
        counts[g] = 0;
        ALL(known, g);
        sum |= got ^ counts[g];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum;
}
