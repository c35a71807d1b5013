// finds: data-race 9 10
// global: 256
// local: 64
// arg: int out[4]
// illegal: finishes
kernel void k(global int *out) {
    local int count;
    if (get_local_id(0) == 0)
        count = 0;
    atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = count;
}
