// finds: data-race 10 13, data-race 11 15
// global: 64
// local: 64
// arg: int out[64]
// They leave it as unwritten as it was, but others may not store to it.
kernel void k(global int *out) {
    local int sum, most[2];
    int l = get_local_id(0);
    if (l < 3)
        atomic_add(&sum, l);
    atomic_max(&most[l & 1], l);
    if (l == 63)
        sum = 0;
    if (l == 63)
        most[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        most[0] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = sum + most[0] + most[1];
}
