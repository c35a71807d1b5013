// Vectors of 4 to 16 elements of all sizes, side by side: read, changed, copied and written by all work-items and by some, in local and
// in global memory. Each one's elements come back as they were, and those of the others stay.
// global: 128
// local: 64 7
// arg: long there[128 * 32]
// arg: int wrong[128]
// expect: wrong = 0
#define TRY(ELEMENT, N)                                                                                          \
    {                                                                                                            \
        local ELEMENT *tile = (local ELEMENT *)memory;                                                           \
        global ELEMENT *mine = (global ELEMENT *)(there + base * 32), *copy = mine + size * N;                       \
        for (int i = l; i < size * N; i += size)                                                                 \
            tile[i] = (ELEMENT)(i % 101);                                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
        ELEMENT##N v = vload##N(l, tile);                                                                        \
        ELEMENT one[N];                                                                                          \
        vstore##N(v, 0, one);                                                                                    \
        for (int i = 0; i < N; i++)                                                                              \
            bad += one[i] != (ELEMENT)((l * N + i) % 101);                                                       \
        vstore##N(v + (ELEMENT)3, l, mine);                                                                      \
        vstore##N(v, l, copy);                                                                                   \
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                                     \
        vstore##N(vload##N(l, mine), l, tile);                                                                   \
        if (l % 3 == 1) {                                                                                        \
            vstore##N(vload##N(l, copy) + vload##N(l, tile), l, mine);                                           \
            vstore##N(vload##N(l, tile) + (ELEMENT)4, l, tile);                                                  \
        }                                                                                                        \
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                                     \
        for (int k = l; k < size * N; k += size) {                                                               \
            int odd = k / N % 3 == 1, was = k % 101;                                                             \
            bad += tile[k] != (ELEMENT)(was + 3 + 4 * odd) || copy[k] != (ELEMENT)was ||                         \
                   mine[k] != (ELEMENT)(was + 3 + was * odd);                                                    \
        }                                                                                                        \
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                                     \
    }
kernel void k(global long *there, global int *wrong) {
    local long memory[64 * 16];
    int l = get_local_id(0), size = get_local_size(0), base = get_global_id(0) - l, bad = 0;
    TRY(char, 4)
    TRY(char, 8)
    TRY(uchar, 16)
    TRY(ushort, 8)
    TRY(short, 16)
    TRY(int, 4)
    TRY(long, 4)
    TRY(long, 16)
    wrong[get_global_id(0)] = bad;
}
