// global: 60,35
// arg: int out[2100]
// expect: out = i % 60 % LX + i % 60 / LX * 100 + (i / 60 % LY) * 10000 + i / 60 / LY * 1000000
kernel void k(global int *out) {
    out[get_global_id(1) * 60 + get_global_id(0)] =
        get_local_id(0) + 100 * get_group_id(0) + 10000 * get_local_id(1) + 1000000 * get_group_id(1);
}
