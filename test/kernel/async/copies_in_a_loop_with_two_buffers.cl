// global: 64
// local: 1 2 16 64
// arg: int in[512] = i
// arg: int out[64]
// expect: out = sum(j, 0, 8, j * 64 + F + (i - F + 1) % S)
kernel void k(global int *in, global int *out) {
    local int s[2][64];
    size_t l = get_local_id(0), n = get_local_size(0), first = get_global_id(0) - l;
    int sum = 0;
    event_t e[2];
    e[0] = async_work_group_copy(s[0], in + first, n, 0);
    for (int j = 0; j < 8; j++) {
        if (j < 7)
            e[(j + 1) % 2] = async_work_group_copy(s[(j + 1) % 2], in + (j + 1) * 64 + first, n, 0);
        wait_group_events(1, &e[j % 2]);
        sum += s[j % 2][(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
