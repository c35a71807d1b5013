// Elements whose places lie a number of places apart modulo a power of two, read and written in loops.
// global: 192
// local: any
// arg: int wrong[192]
// expect: wrong = 0
#define SIZE 256
kernel void k(global int *wrong) {
    local int s[SIZE], t[SIZE];
    local short h[SIZE];
    int l = get_local_id(0), n = get_local_size(0), bad = 0;
    int keep[24];
    for (int i = l; i < SIZE; i += n) {
        s[i] = i * i;
        t[i] = -1;
        h[i] = i * 3;
    }
    for (int i = 0; i < 24; i++)
        keep[i] = l + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 24; i++) {
        int a = (5 * l + i) & 63, b = (2 * l + 2 * i) & 255, c = (3 * (l + i) - 7) & 127, d = (17 * l + i) & 255;
        if (s[a] != a * a || s[b] != b * b || s[c] != c * c)
            bad |= 1;
        if (h[a] != a * 3 || h[d] != d * 3)
            bad |= 2;
        if ((l + i) % 3 && s[(7 * l + i) & 31] != ((7 * l + i) & 31) * ((7 * l + i) & 31))
            bad |= 4;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[d] = l + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (n <= SIZE && t[(17 * l + i) & 255] != l + i)
            bad |= 8;
        keep[(l + i) % 24] += i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int sum = 0;
    for (int i = 0; i < 24; i++)
        sum += keep[i];
    if (sum != 24 * l + 2 * (23 * 24 / 2))
        bad |= 16;
    wrong[get_global_id(0)] = bad;
}
