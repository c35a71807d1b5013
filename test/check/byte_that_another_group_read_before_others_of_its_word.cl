// finds: inter-group-race 10 8
// global: 128
// local: 64
// arg: char data[128] = 0
// arg: char out[128]
kernel void k(global char *data, global char *out) {
    size_t i = get_global_id(0);
    out[i] = i < 64 ? data[i] : 0;
    if (i == 127)
        data[60] = 2;
}
