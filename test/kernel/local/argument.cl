// global: 504
// arg: int out[504]
// arg: local s[L * 4]
// expect: out = F + (i - F + 1) % S
kernel void k(global int *out, local int *s) {
    size_t l = get_local_id(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[(l + 1) % get_local_size(0)];
}
