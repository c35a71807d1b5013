// Vectors of 32 to 128 bytes and of all sizes of elements, in rows and apart by what only the run tells, read and written by all
// work-items and by some. Each one's elements come back as they were, and what lies between stays.
// global: 128
// local: 64 16 7
// arg: int each = 3
// arg: int all[128 * 48] = -1
// arg: int wrong[128]
// expect: wrong = 0
#define TRY(ELEMENT, N)                                                                                          \
    {                                                                                                            \
        local ELEMENT *tile = (local ELEMENT *)memory;                                                           \
        for (int i = l; i < 64 * 3 * N; i += size)                                                               \
            tile[i] = (ELEMENT)(i % 101);                                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
        ELEMENT##N v = vload##N(l * each, tile);                                                                 \
        ELEMENT one[N];                                                                                          \
        vstore##N(v, 0, one);                                                                                    \
        for (int i = 0; i < N; i++)                                                                              \
            bad += one[i] != (ELEMENT)((l * 3 * N + i) % 101);                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
        vstore##N(v + (ELEMENT)3, l * each + 1, tile);                                                           \
        if (l % 3 == 1) {                                                                                        \
            ELEMENT##N w = vload##N(l * each + 1, tile);                                                         \
            vstore##N(w + (ELEMENT)4, l * each + 1, tile);                                                       \
        }                                                                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
        for (int k = 0; k < 3; k++)                                                                              \
            for (int i = 0; i < N; i++) {                                                                        \
                int at = (l * 3 + k) * N + i, now = k == 1 ? (at - N) % 101 + 3 + 4 * (l % 3 == 1) : at % 101;   \
                bad += tile[at] != (ELEMENT)now;                                                                 \
            }                                                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    }
kernel void k(int each, global int *all, global int *wrong) {
    local long memory[64 * 3 * 16];
    int l = get_local_id(0), size = get_local_size(0), g = get_global_id(0), bad = 0;
    TRY(char, 16)
    TRY(short, 16)
    TRY(int, 8)
    TRY(float, 16)
    TRY(long, 4)
    TRY(long, 16)
    global int *mine = all + 48 * g;
    vstore16(vload16(each - 3, mine) + 1 + g, 0, mine); // in rows
    vstore8(vload8(2 * each - 1, mine) + 5, 5, mine);
    if (g % 5)
        vstore8(vload8(0, mine) + 2, 0, mine);
    for (int i = 0; i < 48; i++)
        bad += mine[i] != (i < 8 ? g + 2 * !!(g % 5) : i < 16 ? g : i >= 40 ? 4 : -1);
    wrong[g] = bad;
}
