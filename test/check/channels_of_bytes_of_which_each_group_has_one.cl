// finds: nothing
// global: 128
// local: 32
// arg: uchar b[128] = i
// expect: b = i & 255
kernel void k(global uchar *b) {
    size_t g = get_group_id(0);
    for (int i = 0; i < 3; i++)
        b[4 * get_local_id(0) + g] += i;
    for (int i = 0; i < 3; i++)
        b[4 * get_local_id(0) + g] -= i;
}
