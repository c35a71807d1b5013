// finds: uninitialized-read 10 15
// illegal: finishes
// global: 64
// local: 32
// arg: int out[64]
kernel void k(global int *out) {
    local int t[32], u[32];
    size_t l = get_local_id(0);
    int x =
        t[31 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    u[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = l;
    out[get_global_id(0)] = x + u[31 - l];
}
