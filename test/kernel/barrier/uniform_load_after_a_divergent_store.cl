// global: 1008
// arg: int out[1008]
// expect: out = 1
kernel void k(global int *out) {
    local int s[1];
    size_t l = get_local_id(0);
    if (l == 0)
        s[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        s[0] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[0];
}
