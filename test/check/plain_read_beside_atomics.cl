// finds: data-race 10 11
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int n;
    size_t l = get_local_id(0);
    n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&n);
    out[l] = n;
}
