// global: 128
// local: 2 16 64
// arg: int counter[1] = 0
// arg: int lock[1] = 0
// arg: int flags[64] = 0
// expect: counter = 128
kernel void k(volatile global int *counter, volatile global int *lock, volatile global int *flags) {
    int g = get_group_id(0), last = get_local_size(0) - 1;
    if (get_local_id(0) == last)
        atomic_xchg(flags + g, 1);
    for (bool done = false; !done;) {
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            while (!atomic_or(flags + g, 0))
                ;
            counter[0] = counter[0] + 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(lock, 0);
            done = true;
        }
    }
}
