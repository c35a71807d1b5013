// global: 1009
// local: 1 1009 64 2 1008 500
// arg: int out[1009]
// expect: out = F + (i - F + 1) % S
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[(l + 1) % get_local_size(0)];
}
