// finds: data-race 9 11
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local char flags[4];
    size_t l = get_local_id(0);
    flags[l / 16] = 7;
    if (l % 16 == 15)
        flags[l / 16] = 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = flags[l / 16];
}
