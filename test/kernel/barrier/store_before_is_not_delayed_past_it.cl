// global: 1008
// arg: int out[1008]
// expect: out = S * (S - 1) / 2
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), n = get_local_size(0);
    s[l] = 1000;
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += s[j];
    out[get_global_id(0)] = sum;
}
