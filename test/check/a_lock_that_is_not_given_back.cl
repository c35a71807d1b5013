// finds: deadlock 11
// illegal: finishes
// set: WEIR_CHECK_DEADLOCK=200
// global: 64
// local: 32
// arg: int out[1] = 0
// arg: int lock[1] = 0
kernel void k(global int *out, volatile global int *lock) {
    if (get_local_id(0) != 0)
        return;
    while (atomic_cmpxchg(lock, 0, 1))
        ;
    out[0] = 1;
}
