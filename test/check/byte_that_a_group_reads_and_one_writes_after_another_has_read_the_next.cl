// finds: inter-group-race 10 12
// global: 128
// local: 32
// set: WEIR_CU=1
// arg: uchar b[128] = i
// arg: int out[128] = 0
kernel void k(global uchar *b, global int *out) {
    size_t g = get_group_id(0), l = get_local_id(0);
    if (g < 2)
        out[get_global_id(0)] = b[4 * l + g];
    if (g == 2)
        b[4 * l] = 1;
}
