// global: 64
// local: 2 16 64
// arg: int out[64]
// arg: int data[32] = 0
// arg: int flags[32] = 0
// expect: out = 7
// races: plain accesses are waited for
kernel void k(global int *out, global int *data, global int *flags) {
    int g = get_group_id(0), last = get_local_size(0) - 1;
    if (get_local_id(0) == last) {
        data[g] = 7;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        flags[g] = 1;
    } else {
        while (flags[g] == 0)
            mem_fence(CLK_GLOBAL_MEM_FENCE);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    out[get_global_id(0)] = data[g];
}
