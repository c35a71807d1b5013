// finds: data-race 11 13
// global: 256
// local: 64
// arg: int out[4]
// illegal: finishes
kernel void k(global int *out) {
    local int count;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count);
    if (get_local_id(0) == 63)
        out[get_group_id(0)] = count;
}
