// finds: data-race 10 11
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int tile[64], copy[64];
    size_t l = get_local_id(0);
    /* who comes first finds nothing in the other's element: whoever that is, this isn't what is wrong */
    tile[l] = (int)l;
    copy[l] = tile[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = copy[l] + tile[l];
}
