// finds: uninitialized-read 20 20
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int t[2][66];
    int x = get_local_id(0), now = 0;
    t[0][x + 1] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step <= 3; step++) {
        bool live = x >= step && x < 64 - step;
        if (live)
            t[1 - now][x + 1] =
                t[now][x] + t[now][x + 2];
        now = 1 - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < 60)
        out[x] = t[now][x + 1];
}
