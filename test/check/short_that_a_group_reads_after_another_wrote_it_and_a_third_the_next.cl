// finds: inter-group-race 10 12
// global: 128
// local: 32
// set: WEIR_CU=1
// arg: ushort b[64] = i
// arg: int out[128] = 0
kernel void k(global ushort *b, global int *out) {
    size_t g = get_group_id(0), l = get_local_id(0);
    if (g < 2)
        b[2 * l + g] = 1;
    if (g == 2)
        out[l] = b[2 * l];
}
