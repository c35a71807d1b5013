// finds: uninitialized-read 12 13
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int limit[2];
    size_t l = get_local_id(0);
    if (l == 0) limit[0] = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = 0;
    int n = limit[1] & 7;
    if (n > 3)
        out[l] = 1;
}
