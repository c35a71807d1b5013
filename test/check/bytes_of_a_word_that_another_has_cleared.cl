// finds: data-race 11 9
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local uchar t[64];
    int l = get_local_id(0);
    if (l < 16)
        ((local int *)t)[l] = 0;
    // who stores the same before takes the place of the last one
    t[l] = l == 17;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}
