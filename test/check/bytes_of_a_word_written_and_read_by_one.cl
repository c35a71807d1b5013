// finds: nothing
// global: 64
// local: 64
// arg: int out[16]
kernel void k(global uint *out) {
    local uint t[16];
    int l = get_local_id(0);
    if (l % 4 == 3) {
        for (int i = 0; i < 4; i++)
            ((local uchar *)t)[l - i] = l - i;
        out[l / 4] = t[l / 4];
        t[l / 4] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    ((local uchar *)t)[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 4 == 2)
        t[l / 4] = 8;
}
