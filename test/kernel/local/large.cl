// global: 128
// local: 64 16
// arg: int out[128]
// arg: local s[32768]
// expect: out = i
kernel void k(global int *out, local int *s) {
    size_t l = get_local_id(0), n = get_local_size(0);
    for (size_t j = l; j < 8192; j += n)
        s[j] = get_group_id(0) * n + j % n;
    barrier(CLK_LOCAL_MEM_FENCE);
    int ok = 1;
    for (size_t j = 0; j < 8192; j++)
        ok &= s[j] == get_group_id(0) * n + j % n;
    out[get_global_id(0)] = ok ? s[8192 - n + l] : -1;
}
