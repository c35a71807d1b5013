// global: 1024
// local: 1 2 4 16 64 256 1024
// arg: int in[1024] = i * i % 31
// arg: int out[N]
// expect: out = sum(j, i * L, i * L + L, j * j % 31)
kernel void k(global int *in, global int *out) {
    local int s[1024];
    size_t l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (l < step)
            s[l] += s[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
