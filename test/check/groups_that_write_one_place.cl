// finds: inter-group-race 9 9
// global: 256
// local: 64
// arg: int out[4]
kernel void k(global int *out) {
    size_t l = get_local_id(0);
    if (l)
        return;
    out[0] = get_group_id(0);
}
