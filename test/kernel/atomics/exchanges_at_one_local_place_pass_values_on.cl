// As in global memory: each value of the group is taken once, by the work-items in the order in which they exchange.
// global: 504
// local: 504 56 8
// arg: uint taken[505] = 0
// expect: taken = i && i % 4 != 2 ? 0 : 1
kernel void k(global uint *taken) {
    local int place;
    int g = get_global_id(0), l = get_local_id(0);
    if (!l)
        place = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g % 4 == 1) {
        int before = atomic_xchg(&place, g + 1);
        if (before >= 0)
            atomic_inc(&taken[before]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!l)
        atomic_inc(&taken[place]);
    if (!g)
        atomic_inc(&taken[0]);
}
