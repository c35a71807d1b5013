// global: 96
// local: 32
// arg: int out[384]
// expect: out = i
kernel void k(global int *out) {
    int x = get_local_id(0), first = get_group_id(0) * 32, w = get_global_size(0);
    for (int j = 0; j < 4; j++)
        out[j * w + first + 31 - x] = j * w + first + 31 - x;
}
