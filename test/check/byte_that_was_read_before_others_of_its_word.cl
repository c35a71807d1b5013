// finds: data-race 10 14
// global: 64
// local: 64
// arg: char a[64] = i
// arg: int out[64]
kernel void k(global char *a, global int *out) {
    int l = (int)get_local_id(0), at = 16;
    out[l] = 0;
    if (l == 9)
        out[l] = a[at];
    if (l == 10)
        out[l] = a[at + 1];
    if (l == 33)
        a[at] = 100;
}
