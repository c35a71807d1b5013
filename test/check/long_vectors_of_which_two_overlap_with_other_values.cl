// finds: data-race 8 8
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int t[72];
    int l = get_local_id(0);
    vstore8((int8)(l), 0, t + l);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l + 7];
}
