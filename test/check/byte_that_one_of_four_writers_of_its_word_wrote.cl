// finds: data-race 9 11
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local char t[64];
    int l = (int)get_local_id(0), first = 0;
    if (l < 4)
        t[l] = (char)l;
    if (l == 40)
        out[l] = t[first]; // of the same word as the last one written
}
