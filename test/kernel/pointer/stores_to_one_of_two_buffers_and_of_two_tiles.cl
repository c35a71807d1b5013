// global: 504
// arg: int out[504]
// arg: int a[504] = 0
// arg: int b[100000] = 0
// expect: a = (i - F) % 3 ? i : 0
// expect: out = F + (i - F + 5) % S
kernel void k(global int *out, global int *a, global int *b) {
    local int s[1024], t[1024];
    size_t l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    global int *r = l % 3 ? a : b;
    local int *q = l % 2 ? s : t;
    r[g] = g;
    q[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    q = (l + 5) % n % 2 ? s : t;
    out[g] = q[(l + 5) % n];
}
