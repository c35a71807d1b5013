// global: 1008
// local: any 9 112 1008
// arg: int out[1008]
// expect: out = F + (i - F + 1) % S
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), n = get_local_size(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[(l + 1) % n];
}
