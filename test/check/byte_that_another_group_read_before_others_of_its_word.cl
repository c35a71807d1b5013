// finds: inter-group-race 11 9
// global: 128
// local: 64
// set: WEIR_CU=1
// arg: char data[128] = 0
// arg: char out[128]
kernel void k(global char *data, global char *out) {
    size_t i = get_global_id(0);
    out[i] = i < 64 ? data[i] : 0;
    if (i == 127)
        data[60] = 2;
}
