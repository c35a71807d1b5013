// finds: data-race 8 10
// global: 64
// local: 64
// arg: char a[64] = i
// arg: char out[64]
kernel void k(global uchar *a, global uchar *out) {
    int l = get_local_id(0);
    out[l] = a[l];
    if (l % 4 == 3)
        ((global uint *)a)[l / 4] = 7;
}
