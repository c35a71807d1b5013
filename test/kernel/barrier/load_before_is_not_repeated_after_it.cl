// global: 1008
// arg: int out[1008]
// expect: out = i - F + 1
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), n = get_local_size(0);
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int before = s[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[(l + 1) % n] = -100;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = before + (s[l] == -100);
}
