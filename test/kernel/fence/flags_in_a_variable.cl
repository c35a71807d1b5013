// global: 504
// arg: int out[504]
// arg: uint flags = 3
// expect: out = F + (i - F + 1) % S
kernel void k(global int *out, uint flags) {
    local int s[512];
    size_t l = get_local_id(0);
    s[l] = get_global_id(0);
    barrier(flags);
    out[get_global_id(0)] = s[(l + 1) % get_local_size(0)];
}
