// finds: missing-fence 17 12
// global: 64
// local: 64
// arg: int out[64]
// Behind it, its own work-item alone reads and then writes it.
kernel void k(global int *out) {
    local int t[64];
    int l = get_local_id(0), sum = 0;

    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[63 - l];

    barrier(CLK_GLOBAL_MEM_FENCE);

    sum += t[l];
    t[l] = 7 + sum;
    out[l] = sum;
}
