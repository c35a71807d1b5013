// finds: missing-fence 11 13
// global: 128
// local: 64
// arg: int out[2]
// The first to add is the one that has set it.
kernel void k(global int *out) {
    local int sum;
    uint l = get_local_id(0);

    if (l == 0)
        sum = 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_add(&sum, 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(0)] = sum;
}
