// global: 504
// arg: int out[504]
// arg: int m = 1
// expect: out = F + (i - F + 1) % S > 2
int exchange(local int *s) {
    size_t l = get_local_id(0), n = get_local_size(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    return s[(l + 1) % n];
}
kernel void k(global int *out, int m) {
    local int s[1024];
    out[get_global_id(0)] = m && exchange(s) > 2;
}
