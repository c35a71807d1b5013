// global: 504
// needs: collectives
// arg: int out[504]
// expect: out = F + S - 1
kernel void k(global int *out) {
    out[get_global_id(0)] = work_group_broadcast((int)get_global_id(0), get_local_size(0) - 1);
}
