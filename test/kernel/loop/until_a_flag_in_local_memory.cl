// global: 1008
// arg: int out[1008]
// expect: out = S
// races: all look at what one of them changes
kernel void k(global int *out) {
    local int value, done;
    size_t l = get_local_id(0), n = get_local_size(0);
    if (l == 0)
        value = done = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (!done) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == value % n && value < n) {
            value++;
            done = value == n;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = value;
}
