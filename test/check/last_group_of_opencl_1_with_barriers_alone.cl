// finds: nothing
// options: -cl-std=CL1.2
// global: 128
// local: 32
// arg: int part[128]
// arg: int count[1] = 0
// arg: int out[1] = 0
// expect: out = 128
kernel void k(global int *part, volatile global int *count, global int *out) {
    local int last;
    size_t l = get_local_id(0), w = get_group_id(0);
    part[w * 32 + l] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0)
        last = atomic_inc(count) == 3;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last && l == 0)
        for (int i = 0; i < 128; i++)
            out[0] += part[i];
}
