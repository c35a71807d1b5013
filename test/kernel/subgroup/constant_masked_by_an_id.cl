// What a pack shares, masked by an id of which no stride is known: lanes have no stride.
// global: 32,4
// local: 16,4
// arg: int out[128]
// expect: out = 1
kernel void k(global int *out) {
    uint l = get_local_linear_id(), items = get_local_size(0) * get_local_size(1);
    uint g = get_group_id(0) * items + l, x = (7 & g) & 1;
    bool inside = get_sub_group_local_id() < get_sub_group_size();
    out[get_global_id(1) * 32 + get_global_id(0)] = inside && x == (get_local_id(0) & 1);
}
