// One work-item of each sub-group waits for a lock.
// global: 504
// local: 1 3 16 64 250
// needs: __opencl_c_subgroups
// arg: int lock[1] = 0
// arg: int counts[2] = 0
// arg: int out[504]
// expect: out = 1
// expect: counts = {504, 504}
kernel void k(global int *lock, global int *counts, global int *out) {
    int n = get_sub_group_size(), sum = sub_group_reduce_add(1);
    if (get_sub_group_local_id() == 0) {
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
        volatile global int *guarded = counts;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        guarded[0] += n;
        guarded[1] += sum;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(lock, 0);
    }
    out[get_global_id(0)] = sum == n;
}
