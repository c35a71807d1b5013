// finds: data-race 8 12
// global: 64
// local: 64
kernel void k(void) {
    local uchar t[64];
    int l = (int)get_local_id(0), at = 2;
    if (l == 3)
        *(local ushort *)(t + at) = 7;
    if (l == 20)
        t[0] = 1;
    if (l == 50)
        t[at] = 9;
}
