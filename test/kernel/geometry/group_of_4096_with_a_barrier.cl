// global: 8192
// local: 4096 2048
// arg: int out[8192]
// expect: out = F + S - 1 - (i - F)
kernel void k(global int *out) {
    local int s[4096];
    size_t l = get_local_id(0), n = get_local_size(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[n - 1 - l];
}
