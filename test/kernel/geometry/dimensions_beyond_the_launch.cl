// global: 504
// local: none any
// arg: int out[504]
// expect: out = 1111000
kernel void k(global int *out) {
    out[get_global_id(0)] = get_global_size(1) * 1000000 + get_local_size(2) * 100000 + get_num_groups(1) * 10000 +
                            get_global_size(7) * 1000 + get_global_id(1) * 100 + get_local_id(2) * 10 + get_group_id(3);
}
