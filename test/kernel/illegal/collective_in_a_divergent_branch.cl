// global: 504
// needs: collectives
// arg: int out[504]
// illegal: finishes
kernel void k(global int *out) {
    int r = 0;
    if (get_local_id(0) % 3 == 0)
        r = work_group_reduce_add(1);
    out[get_global_id(0)] = r;
}
