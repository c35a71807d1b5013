// global: 504
// arg: int out[504]
// expect: out = i - F + 1
kernel void k(global int *out) {
    local int turn;
    local int seen[512];
    size_t l = get_local_id(0);
    if (l == 0)
        turn = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    seen[l] = atomic_inc(&turn);
    barrier(CLK_LOCAL_MEM_FENCE);
    int at_most_mine = 0;
    for (size_t j = 0; j < get_local_size(0); j++)
        at_most_mine += seen[j] <= (int)l;
    out[get_global_id(0)] = at_most_mine;
}
