// finds: deadlock 11
// illegal: finishes
// set: WEIR_CHECK_DEADLOCK=200
// global: 8192
// local: 8
// arg: int out[1024]
// arg: int flag[1] = 0
kernel void k(global int *out, volatile global int *flag) {
    size_t last = get_num_groups(0) - 1;
    if (get_group_id(0) != last && get_local_id(0) == 0)
        while (flag[0] == 0)
            ;
    if (get_group_id(0) == last)
        flag[0] = 1;
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = 1;
}
