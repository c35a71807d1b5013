// finds: uninitialized-read 11 11
// illegal: finishes
// global: 4
// local: 4
// arg: int out[4]
kernel void k(global int *out) {
    local int t[4];
    int l = get_local_id(0);
    if (l) t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 3) printf("%d\n", t[0]);
    out[l] = 0;
}
