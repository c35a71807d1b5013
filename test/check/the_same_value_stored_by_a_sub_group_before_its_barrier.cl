// finds: nothing
// options: -cl-std=CL3.0
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int t[64];
    uint s = get_sub_group_id();
    t[s] = 5;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_local_id() == get_sub_group_size() - 1)
        t[s] = 6;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = t[s];
}
