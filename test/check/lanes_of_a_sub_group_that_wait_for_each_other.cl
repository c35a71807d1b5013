// finds: deadlock 14
// needs: __opencl_c_subgroups
// illegal: finishes
// set: WEIR_CHECK_DEADLOCK=200
// global: 64
// local: 64
// arg: int out[64] = 0
// arg: int lock[1] = 0
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(volatile global int *out, volatile global int *lock) {
    int done = 0;
    if (get_sub_group_local_id() == 7)
        atomic_xchg(lock, 1);
    while (atomic_cmpxchg(lock, 0, 1))
        ;
    out[get_global_id(0)] = 1;
    atomic_xchg(lock, 0);
}
