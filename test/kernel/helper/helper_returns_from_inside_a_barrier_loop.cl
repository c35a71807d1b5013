// global: 504
// arg: int out[504]
// arg: int m = 5
// expect: out = F + (i - F + 5) % S
int walk(local int *s, int m) {
    size_t l = get_local_id(0);
    int r = get_global_id(0);
    for (int j = 0;; j++) {
        if (j == m)
            return r;
        s[l] = r;
        barrier(CLK_LOCAL_MEM_FENCE);
        r = s[(l + 1) % get_local_size(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
kernel void k(global int *out, int m) {
    local int s[1024];
    out[get_global_id(0)] = walk(s, m);
}
