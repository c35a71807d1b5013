// Work-groups that take turns with a lock in global memory.
//
//   weir check --deadlock 500 examples/racy/deadlock.cl wrong --global 256 --local 64 --arg inout:1=zeros --arg inout:1=zeros
//
// Wrong: who has had the lock doesn't give it back. Right: it does.

static void take(volatile global int *lock) {
    while (atomic_cmpxchg(lock, 0, 1))
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}

static void give_back(volatile global int *lock) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
}

kernel void wrong(volatile global int *lock, global int *count) {
    if (get_local_id(0) == 0) {
        take(lock);
        *count += 1;
    }
}

kernel void right(volatile global int *lock, global int *count) {
    if (get_local_id(0) == 0) {
        take(lock);
        *count += 1;
        give_back(lock);
    }
}
