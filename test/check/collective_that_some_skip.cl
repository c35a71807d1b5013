// finds: barrier-divergence 11
// illegal: finishes
// needs: collectives
// global: 128
// local: 64
// arg: int out[128]
kernel void k(global int *out) {
    size_t l = get_local_id(0);
    int sum = 0;
    if (l != 9)
        sum = work_group_reduce_add((int)l);
    out[get_global_id(0)] = sum;
}
