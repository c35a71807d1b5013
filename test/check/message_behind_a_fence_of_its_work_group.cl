// finds: inter-group-race 13 19
// illegal: finishes
// needs: generic
// global: 64
// local: 32
// arg: int data[1] = 0
// arg: int flag[1] = 0
// arg: int out[64] = 0
kernel void k(global int *data, global atomic_int *flag, global int *out) {
    if (get_local_id(0) != 0)
        return;
    if (get_group_id(0) == 0) {
        data[0] = 42;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else {
        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0)
            ;
        out[1] = data[0];
    }
}
