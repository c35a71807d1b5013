// finds: inter-group-race 8 8
// global: 128
// local: 32
// set: WEIR_CU=1
// arg: uchar b[128] = 0
kernel void k(global uchar *b) {
    size_t g = get_group_id(0);
    b[4 * get_local_id(0) + g % 3] = g;
}
