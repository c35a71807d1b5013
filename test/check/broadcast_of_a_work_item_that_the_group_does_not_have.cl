// finds: barrier-divergence 8
// needs: collectives
// global: 12,6
// local: 4,2
// arg: int out[72] = 0
kernel void k(global int *out) {
    size_t i = get_global_id(1) * 12 + get_global_id(0);
    out[i] = work_group_broadcast((int)i, get_local_size(0), 1);
}
