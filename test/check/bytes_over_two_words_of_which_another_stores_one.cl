// finds: data-race 10 12
// global: 8
// local: 8
// arg: char p[32] = 0
// arg: int out[8]
kernel void k(global uchar *p, global int *out) {
    int l = get_local_id(0);
    out[l] = 0;
    if (l == 0)
        vstore4((uchar4)(1, 1, 2, 1), 0, p + 11);
    if (l == 7)
        vstore4((uchar4)(1, 2, 1, 2), 0, p + 8); // its last byte
    if (l == 2)
        p[10] = 1; // as is there
}
