// global: 48,48
// local: 1,1 2,2 3,3 4,4 8,8 16,16 12,12 48,48
// arg: int out[2304]
// expect: out = (i / 48 / LY * LY + i % 48 % LX) * 48 + i % 48 / LX * LX + i / 48 % LY
kernel void k(global int *out) {
    local int s[48][49];
    size_t x = get_local_id(0), y = get_local_id(1);
    s[y][x] = get_global_id(1) * 48 + get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * 48 + get_global_id(0)] = s[x][y];
}
