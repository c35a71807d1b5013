// options: -cl-std=CL1.2
// global: 504
// local: 1 2 8 63 252
// arg: int out[504]
// expect: out = F + (i - F + 1) % S
__kernel void k(__global int *out) {
    __local int s[512];
    size_t l = get_local_id(0);
    s[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE);
    mem_fence(CLK_IMAGE_MEM_FENCE);
    out[get_global_id(0)] = s[(l + 1) % get_local_size(0)];
}
