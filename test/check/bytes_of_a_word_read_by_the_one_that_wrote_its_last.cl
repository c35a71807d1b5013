// finds: data-race 8 10
// global: 64
// local: 64
// arg: int out[16]
kernel void k(global uint *out) {
    local uint t[16];
    int l = get_local_id(0);
    ((local uchar *)t)[l] = l;
    if (l % 4 == 3)
        out[l / 4] = t[l / 4];
}
