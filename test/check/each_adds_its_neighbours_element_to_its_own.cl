// finds: data-race 11 12
// illegal: finishes
// global: 128
// local: 64
// arg: int out[128]
kernel void k(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = t[(l + 1) % 64];
    t[l] += next;
    out[get_global_id(0)] = t[l];
}
