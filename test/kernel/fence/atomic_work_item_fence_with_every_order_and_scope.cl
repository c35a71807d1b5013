// global: 504
// arg: int out[504]
// expect: out = i + 13
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    out[g] = g;
#define F(order, scope)                                                                                                \
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_##order, memory_scope_##scope);    \
    out[g]++;
    F(relaxed, work_group)
    F(acquire, work_item)
    F(acquire, work_group)
    F(acquire, device)
    F(release, work_group)
    F(release, device)
    F(release, all_svm_devices)
    F(acq_rel, work_group)
    F(acq_rel, device)
    F(acq_rel, all_devices)
    F(seq_cst, work_group)
    F(seq_cst, device)
    F(seq_cst, all_svm_devices)
}
