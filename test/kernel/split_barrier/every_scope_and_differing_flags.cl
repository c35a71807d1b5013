// global: 1008
// arg: int out[1008]
// expect: out = 6 * (F + (i - F + 1) % S)
kernel void k(global int *out) {
    local int s[2][1024];
    size_t l = get_local_id(0), n = get_local_size(0);
    int sum = 0;
#define BOTH (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define ROUND(r, arrive, wait)                                                                                         \
    s[r & 1][l] = get_global_id(0);                                                                                    \
    intel_work_group_barrier_arrive arrive;                                                                            \
    intel_work_group_barrier_wait wait;                                                                                \
    sum += s[r & 1][(l + 1) % n];
    ROUND(0, (BOTH), (CLK_LOCAL_MEM_FENCE))
    ROUND(1, (CLK_LOCAL_MEM_FENCE, memory_scope_work_group), (BOTH))
    ROUND(2, (BOTH, memory_scope_device), (BOTH, memory_scope_work_group))
    ROUND(3, (BOTH, memory_scope_work_group), (BOTH, memory_scope_all_svm_devices))
    ROUND(4, (BOTH, memory_scope_all_devices), (BOTH, memory_scope_all_devices))
    ROUND(5, (CLK_LOCAL_MEM_FENCE, memory_scope_device), (CLK_LOCAL_MEM_FENCE, memory_scope_device))
    out[get_global_id(0)] = sum;
}
