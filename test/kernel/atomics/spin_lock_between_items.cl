// global: 252
// local: 1 4 63 252
// arg: int lock[1] = 0
// arg: int counter[1] = 0
// expect: counter = 252
kernel void k(global int *lock, volatile global int *counter) {
    for (int done = 0; !done;) {
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            *counter = *counter + 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(lock, 0);
            done = 1;
        }
    }
}
