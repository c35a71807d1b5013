// finds: inter-group-race 12 17
// needs: generic
// global: 256
// local: 64
// arg: int part[4]
// arg: int out[1]
// arg: int count[1] = 0
kernel void k(global int *part, global int *out, global atomic_int *count) {
    local int last;
    size_t l = get_local_id(0), w = get_group_id(0);
    if (l == 0) {
        part[w] = w + 1;
        last = atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device) == 3;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last && l == 0)
        out[0] = part[0] + part[1] + part[2] + part[3];
}
