// global: 2310
// local: 2 3 5 7 11 13 31 127 509 1021
// arg: int out[2310]
// expect: out = F + (i - F + 1) % S
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[(l + 1) % get_local_size(0)];
}
