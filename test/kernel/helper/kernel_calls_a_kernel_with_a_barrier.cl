// global: 504
// local: 1 2 3 7 8 63 252
// arg: int out[504]
// arg: local s[L * 4]
// expect: out = F + (i - F + 1) % S
kernel void inner(global int *out, local int *s) {
    size_t l = get_local_id(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[(l + 1) % get_local_size(0)];
}
kernel void k(global int *out, local int *s) {
    inner(out, s);
}
