// finds: data-race 15 20, data-race 16 18
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 16
// local: 16
// arg: int data[1] = 0
// arg: int flag[1] = 0
// arg: int out[64] = 0
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *data, global atomic_int *flag, global int *out) {
    
    if (get_sub_group_local_id() != 0)
        return;
    if (get_sub_group_id() == 0) {
        data[0] = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_sub_group);
    } else if (get_sub_group_id() == 1) {
        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_sub_group) == 0)
            ;
        out[1] = data[0];
    }
}
