// Tiles whose rows are of any length, filled and read by one index: packs reach from the end of a row to the next one.
// global: 504
// local: any
// arg: int wrong[504]
// arg: int in[2048] = i
// expect: wrong = 0
#define CHECK(WIDTH)                                                                                         \
    do {                                                                                                     \
        for (int i = l; i < WIDTH * 16; i += n)                                                              \
            s[(i / WIDTH) * 24 + i % WIDTH] = in[40 * (i / WIDTH) + i % WIDTH + 3];                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        for (int i = n - 1 - l; i < WIDTH * 16; i += n)                                                      \
            bad += s[(i / WIDTH) * 24 + i % WIDTH] != 40 * (i / WIDTH) + i % WIDTH + 3;                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
    } while (0)
kernel void k(global int *wrong, global const int *in) {
    local int s[24 * 16];
    int l = get_local_id(0), n = get_local_size(0), bad = 0;
    CHECK(3);
    CHECK(5);
    CHECK(8);
    CHECK(18);
    CHECK(23);
    for (int shift = 0; shift < n; shift += 3) { // around the end
        s[(l + shift) % n % 384] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
        int at = (l + n - shift % n) % n;
        bad += n <= 384 && s[l] != at;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    wrong[get_global_id(0)] = bad;
}
