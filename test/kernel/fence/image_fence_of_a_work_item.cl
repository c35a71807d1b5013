// global: 504
// arg: int out[504]
// expect: out = i
kernel void k(global int *out) {
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    out[get_global_id(0)] = get_global_id(0);
}
