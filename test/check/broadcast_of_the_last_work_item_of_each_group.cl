// finds: nothing
// needs: collectives nonuniform
// global: 13,7
// local: 4,2
// arg: int out[91] = 0
kernel void k(global int *out) {
    size_t i = get_global_id(1) * 13 + get_global_id(0);
    out[i] = work_group_broadcast((int)i, get_local_size(0) - 1, get_local_size(1) - 1);
}
