// global: 1008
// arg: int out[1008]
// expect: out = 6 * (F + (i - F + 1) % S)
kernel void k(global int *out) {
    local int s[2][1024];
    size_t l = get_local_id(0), n = get_local_size(0);
    int sum = 0;
#define ROUND(r, ...)                                                                                                  \
    s[r & 1][l] = get_global_id(0);                                                                                    \
    work_group_barrier(__VA_ARGS__);                                                                                   \
    sum += s[r & 1][(l + 1) % n];
    ROUND(0, CLK_LOCAL_MEM_FENCE)
    ROUND(1, CLK_LOCAL_MEM_FENCE, memory_scope_work_group)
    ROUND(2, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device)
    ROUND(3, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_all_svm_devices)
    ROUND(4, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_all_devices)
    ROUND(5, CLK_LOCAL_MEM_FENCE, memory_scope_device)
    out[get_global_id(0)] = sum;
}
