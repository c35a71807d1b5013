// global: 504
// arg: int out[504]
// expect: out = S
kernel void k(global int *out) {
    local int next;
    size_t l = get_local_id(0);
    if (l == 0)
        next = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (atomic_add(&next, 0) < (int)l)
        ;
    atomic_inc(&next);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = next;
}
