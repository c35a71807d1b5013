// finds: uninitialized-read 12 12
// illegal: finishes
// global: 16
// local: 16
// arg: int out[16]
kernel void k(global int *out) {
    local int t[32];
    int l = get_local_id(0);
    t[l + 16] = t[l];
    t[l] = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l + 16] + t[l];
}
