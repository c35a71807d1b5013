// finds: inter-group-race 10 10
// illegal: finishes
// needs: generic
// global: 64
// local: 32
// arg: int data[1] = 0
// arg: int flag[1] = 0
// arg: int out[64] = 0
kernel void k(global int *data, global atomic_int *flag, global int *out) {
    atomic_fetch_add_explicit(flag, 1, memory_order_relaxed, memory_scope_work_group);
}
