// global: 504
// arg: int out[504]
// expect: out = F + (i - F + 1) % S
kernel void k(global int *out) {
    local int s[4][8][16];
    size_t l = get_local_id(0), next = (l + 1) % get_local_size(0);
    s[l / 128][l / 16 % 8][l % 16] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[next / 128][next / 16 % 8][next % 16];
}
