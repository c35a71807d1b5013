// finds: data-race 9 11
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int flag;
    size_t l = get_local_id(0);
    flag = 7;
    if (l == 63)
        flag = 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = flag;
}
