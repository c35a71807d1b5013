// global: 12,10
// local: 1,10 2,5 3,5 3,2
// arg: int out[120]
// expect: out = i / 12 / LY * LY * 12 + i % 12 / LX * LX + (LX > 1 && i % 12 % LX == 0 ? 1 : 0)
kernel void k(global int *out) {
    local int s[10][4];
    size_t x = get_local_id(0), y = get_local_id(1);
    s[y][x] = get_global_id(1) * 12 + get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int first = s[0][0];
    out[get_global_id(1) * 12 + get_global_id(0)] = first + (get_local_size(0) > 1 && x == 0 ? s[0][1] - s[0][0] : 0);
}
