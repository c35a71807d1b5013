// finds: nothing
// global: 256
// local: 64
// arg: int out[256]
kernel void k(global int *out) {
    local int tile[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    uint first = l - get_sub_group_local_id();
    tile[l] = g;
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
    out[g] = tile[first + get_sub_group_size() - 1 - get_sub_group_local_id()];
}
