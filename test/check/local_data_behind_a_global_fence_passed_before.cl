// finds: missing-fence 11 14
// global: 128
// local: 64
// arg: int out[128]
// The barrier is the same one in each round; only the last round exchanges anything.
kernel void k(global int *out) {
    local int tile[64];
    size_t l = get_local_id(0);
    int sum = 0;
    for (int i = 0; i < 40; i++) {
        tile[l] = i;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (i == 39)
            sum += tile[63 - l];
        else
            sum += tile[l];
    }
    out[get_global_id(0)] = sum;
}
