// finds: data-race 8 8
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int last;
    size_t l = get_local_id(0);
    last = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = last;
}
