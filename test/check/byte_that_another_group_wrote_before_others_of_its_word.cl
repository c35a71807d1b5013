// finds: inter-group-race 10 8
// global: 128
// local: 64
// set: WEIR_CU=1
// arg: char data[128] = 0
kernel void k(global char *data) {
    size_t i = get_global_id(0);
    data[i] = 1;
    if (i == 127)
        data[60] = 2;
}
