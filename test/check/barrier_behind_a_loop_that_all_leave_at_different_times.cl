// finds: nothing
// global: 64
// local: 64
// arg: int out[64] = i % 4
kernel void k(global int *out) {
    int i = 0, l = get_local_id(0);
    while (i < l % 4)
        i++;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = i;
}
