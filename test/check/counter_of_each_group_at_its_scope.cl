// finds: nothing
// needs: generic
// global: 64
// local: 32
// arg: int data[1] = 0
// arg: int flag[2] = 0
// arg: int out[64] = 0
// expect: flag = 32
kernel void k(global int *data, global atomic_int *flag, global int *out) {
    atomic_fetch_add_explicit(&flag[get_group_id(0)], 1, memory_order_relaxed, memory_scope_work_group);
}
