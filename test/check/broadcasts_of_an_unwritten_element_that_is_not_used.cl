// finds: nothing
// global: 64
// local: 32
// arg: double out[64]
// expect: out = 6
kernel void k(global double *out) {
    local double t[33];
    int l = get_local_id(0);
    t[l + 1] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    double y = work_group_broadcast(t[l], 0);
    y = work_group_broadcast(t[l], 7);
    out[get_global_id(0)] = y;
}
