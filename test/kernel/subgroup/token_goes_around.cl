// All sub-groups wait for their turn in loops of their own; some lanes wait, and others not, in the same loop.
// global: 504
// local: 1 3 16 64 250
// needs: cl_khr_subgroups
// arg: int out[504]
// arg: local turn[4]
// expect: out = 4
kernel void k(global int *out, local atomic_int *turn) {
    int n = get_num_sub_groups(), s = get_sub_group_id(), lane = get_sub_group_local_id(), seen = 0;
    if (get_local_id(0) == 0)
        atomic_init(turn, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < 4; round++) {
        int mine = round * n + s;
        if (lane % 3 != 1)
            while (atomic_load_explicit(turn, memory_order_relaxed, memory_scope_work_group) != mine)
                ;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        seen += sub_group_all(atomic_load(turn) == mine);
        if (sub_group_elect())
            atomic_store(turn, mine + 1);
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = atomic_load(turn) == 4 * n ? seen : -1;
}
