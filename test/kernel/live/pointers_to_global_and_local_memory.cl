// global: 504
// arg: int in[504] = i * 9
// arg: int out[504]
// expect: out = i * 9 + (F + (i - F + 1) % S)
kernel void k(global int *in, global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0);
    global int *p = in + g;
    local int *mine = s + l, *next = s + (l + 1) % get_local_size(0);
    *mine = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = *p + *next;
}
