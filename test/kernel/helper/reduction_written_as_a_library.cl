// global: 504
// arg: int out[504]
// expect: out = (S * (S - 1) / 2) * 1000 + S - 1
static int reduce(local int *s, int v, bool biggest) {
    size_t l = get_local_id(0);
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t size = get_local_size(0); size > 1;) {
        size_t half_size = (size + 1) / 2;
        if (l + half_size < size)
            s[l] = biggest ? max(s[l], s[l + half_size]) : s[l] + s[l + half_size];
        size = half_size;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int r = s[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return r;
}
kernel void k(global int *out) {
    local int s[512];
    int sum = reduce(s, get_local_id(0), false), most = reduce(s, get_local_id(0), true);
    out[get_global_id(0)] = sum * 1000 + most;
}
