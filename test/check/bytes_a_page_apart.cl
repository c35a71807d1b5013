// finds: data-race 9 11
// global: 64
// local: 64
// arg: uchar a[20480] = i
kernel void k(global uchar *a) {
    int l = get_local_id(0);
    global uchar *b = a + 4096, *c = a + 8192, *d = a + 12288;
    b[l] = c[l] + d[l];
    b[l] += a[l];
    if (l % 4 == 3)
        ((global uint *)a)[l / 4] = 7;
}
