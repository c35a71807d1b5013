// finds: uninitialized-read 8 11
// global: 16
// local: 16
// arg: int out[16]
kernel void k(global int *out) {
    local uchar t[20];
    int l = get_local_id(0);
    int sum = t[16 + l % 4] + t[l];
    // each byte by its reader, and the last one of a word last
    t[l] = 64 + l;
    out[l] = sum;
}
