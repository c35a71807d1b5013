// finds: inter-group-race 14 21
// illegal: finishes
// options: -cl-std=CL1.2
// set: WEIR_CHECK_OPTIONS=strict-scope
// global: 128
// local: 32
// arg: int part[4]
// arg: int count[1] = 0
// arg: int out[1] = 0
kernel void k(global int *part, volatile global int *count, global int *out) {
    local int last;
    size_t l = get_local_id(0), w = get_group_id(0);
    if (l == 0) {
        part[w] = w + 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last = atomic_inc(count) == 3;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last && l == 0)
        out[0] = part[0] + part[1] + part[2] + part[3];
}
