// What a work-item's part of a row is compared with is a multiple of a tile, a negative one, and a number that parts a group.
// global: 32,16
// local: 8,4
// arg: int out[512]
// arg: int n = 40
// arg: int below = -17
// expect: out = (i % 32 < 16 ? i / 32 % 4 * 8 + 7 - i % 8 : i % 32 < 24 ? 100 : 200) * 2 + (i % 32 / 8 * 16 + i % 8 * 2 < 40)
kernel void k(global int *out, int n, int below) {
    local int s[32];
    int x = get_local_id(0), y = get_local_id(1), at = x * 2 + get_group_id(0) * 16, r = 200;
    if (at < n / 16 * 16) {
        s[y * 8 + x] = y * 8 + x;
        barrier(CLK_LOCAL_MEM_FENCE);
        r = s[y * 8 + 7 - x];
    } else if (at - 64 < below / 16 * 16) {
        s[y * 8 + x] = 100;
        barrier(CLK_LOCAL_MEM_FENCE);
        r = s[y * 8 + 7 - x];
    }
    out[get_global_id(1) * 32 + get_global_id(0)] = r * 2 + (at < n);
}
