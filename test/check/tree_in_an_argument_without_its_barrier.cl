// finds: data-race 9 14, data-race 13 14, uninitialized-read 17 17
// global: 512
// local: 128
// arg: int in[512] = i
// arg: int out[4]
// arg: local sums[512]
kernel void k(global const int *in, global int *out, local int *sums) {
    uint l = get_local_id(0);
    sums[l] = in[get_global_id(0)];
    for (uint step = get_local_size(0) / 2; step; step /= 2) {
        ;
        if (l < step)
            sums[l] +=
                sums[l + step];
    }
    if (l == 0)
        out[get_group_id(0)] = sums[0];
}
