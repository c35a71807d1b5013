// global: 60,35
// arg: int out[2100]
// expect: out = min(LX, 60 - i % 60 / LX * LX) + 100 * min(LY, 35 - i / 60 / LY * LY) + 10000 * ((60 + LX - 1) / LX) + 1000000 * ((35 + LY - 1) / LY)
kernel void k(global int *out) {
    out[get_global_id(1) * 60 + get_global_id(0)] =
        get_local_size(0) + 100 * get_local_size(1) + 10000 * get_num_groups(0) + 1000000 * get_num_groups(1);
}
