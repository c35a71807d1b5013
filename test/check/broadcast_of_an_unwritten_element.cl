// finds: uninitialized-read 11 11
// illegal: finishes
// global: 64
// local: 32
// arg: float out[64]
kernel void k(global float *out) {
    local float t[33];
    int l = get_local_id(0);
    t[l + 1] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = work_group_broadcast(t[l], 0);
}
