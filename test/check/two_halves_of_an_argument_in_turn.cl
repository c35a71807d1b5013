// finds: nothing
// global: 256
// local: 64
// arg: int in[256] = i
// arg: int out[256]
// arg: local both[512]
kernel void k(global const int *in, global int *out, local int *both) {
    uint l = get_local_id(0), n = get_local_size(0);
    local int *from = both, *to = both + n;
    from[l] = in[get_global_id(0)];
    for (uint step = 1; step < n; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = 0;
        if (l >= step)
            x = from[l - step];
        to[l] = from[l] + x;
        local int *old = from;
        from = to;
        to = old;
    }
    out[get_global_id(0)] = from[l];
}
