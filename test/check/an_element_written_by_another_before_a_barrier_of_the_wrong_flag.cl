// finds: missing-fence 15 12, missing-fence 16 15
// global: 64
// local: 64
// arg: int out[64]
// Its own work-item writes and reads it behind the barrier: no barrier is missing.
kernel void k(global int *out) {
    local int t[64];
    int l = get_local_id(0);

    t[l] = 512 + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l ^ 1] = 256 + l;
    barrier(CLK_GLOBAL_MEM_FENCE);

    t[l] = 640 + l;
    out[l] = t[l];
}
