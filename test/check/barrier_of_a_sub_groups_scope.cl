// finds: missing-fence 8 10
// global: 256
// local: 128
// arg: int out[256]
kernel void k(global int *out) {
    local int tile[128];
    size_t l = get_local_id(0), g = get_global_id(0);
    tile[l] = g;
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
    out[g] = tile[127 - l] + get_sub_group_id();
}
