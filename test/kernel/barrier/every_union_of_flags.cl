// global: 1008
// arg: int out[1008]
// expect: out = 7 * (F + (i - F + 1) % S)
kernel void k(global int *out) {
    local int s[2][1024];
    size_t l = get_local_id(0), n = get_local_size(0);
    int sum = 0;
#define ROUND(r, flags)                                                                                                \
    s[r & 1][l] = get_global_id(0);                                                                                    \
    barrier(CLK_LOCAL_MEM_FENCE | (flags));                                                                            \
    sum += s[r & 1][(l + 1) % n];
    ROUND(0, 0)
    ROUND(1, CLK_GLOBAL_MEM_FENCE)
    ROUND(2, CLK_IMAGE_MEM_FENCE)
    ROUND(3, CLK_LOCAL_MEM_FENCE)
    ROUND(4, CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE)
    ROUND(5, CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE)
    ROUND(6, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE)
    out[get_global_id(0)] = sum;
}
