// global: 504
// arg: int out[504]
// expect: out = F + S
kernel void k(global int *out) {
    local int first;
    local size_t size;
    if (get_local_id(0) == 0) {
        first = get_global_id(0);
        size = get_local_size(0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = first + size;
}
