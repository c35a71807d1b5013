// global: 504
// arg: int out[504]
// expect: out = i * 3
kernel void k(global int *out) {
    local int s[512];
    size_t l = get_local_id(0), g = get_global_id(0);
    s[l] = g;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[g] = s[l];
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[g] += s[l];
    write_mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[g] += s[l];
    mem_fence(0);
    mem_fence(CLK_IMAGE_MEM_FENCE);
}
