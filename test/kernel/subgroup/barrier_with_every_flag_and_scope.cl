// options: -cl-std=CL3.0
// global: 1008
// arg: uint memory[1008]
// arg: uint out[1008]
// expect: out = 0
kernel void k(global uint *memory, global uint *out) {
    local uint s[1024];
    size_t l = get_local_id(0), g = get_global_id(0);
    uint lane = get_sub_group_local_id(), size = get_sub_group_size(), other = (lane + 1) % size, wrong = 0;
    local uint *mine = s + (l - lane);
    global uint *ours = memory + (g - lane);
#define LOCAL(r, ...)                                                                                                  \
    mine[lane] = lane * (r);                                                                                           \
    sub_group_barrier(__VA_ARGS__);                                                                                    \
    wrong += mine[other] != other * (r);                                                                               \
    sub_group_barrier(__VA_ARGS__);
#define GLOBAL(r, ...)                                                                                                 \
    ours[lane] = lane * (r);                                                                                           \
    sub_group_barrier(__VA_ARGS__);                                                                                    \
    wrong += ours[other] != other * (r);                                                                               \
    sub_group_barrier(__VA_ARGS__);
    LOCAL(1, CLK_LOCAL_MEM_FENCE)
    LOCAL(2, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
    LOCAL(3, CLK_LOCAL_MEM_FENCE, memory_scope_sub_group)
    LOCAL(4, CLK_LOCAL_MEM_FENCE, memory_scope_work_group)
    LOCAL(5, CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE, memory_scope_device)
    LOCAL(6, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE, memory_scope_all_svm_devices)
    GLOBAL(1, CLK_GLOBAL_MEM_FENCE)
    GLOBAL(2, CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group)
    GLOBAL(3, CLK_GLOBAL_MEM_FENCE, memory_scope_work_group)
    GLOBAL(4, CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_scope_device)
    GLOBAL(5, CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE, memory_scope_all_svm_devices)
    out[g] = wrong;
}
