// A barrier whose scope is chosen at run time.
//
//   weir check examples/racy/barrier-scope-mismatch.cl wrong --global 64 --local 64 --options -cl-std=CL3.0 --arg inout=iota
//
// Wrong: the first work-item, which will tell other work-groups, asks for more than the others. Right: all ask for it.

kernel void wrong(global int *data) {
    local int tile[64];
    size_t l = get_local_id(0);
    tile[l] = data[l];
    work_group_barrier(CLK_LOCAL_MEM_FENCE, l == 0 ? memory_scope_device : memory_scope_work_group);
    data[l] = tile[63 - l];
}

kernel void right(global int *data) {
    local int tile[64];
    size_t l = get_local_id(0);
    tile[l] = data[l];
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);
    data[l] = tile[63 - l];
}
