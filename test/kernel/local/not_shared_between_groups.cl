// global: 504
// arg: int out[504]
// expect: out = S
kernel void k(global int *out) {
    local int count;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 100; j++)
        atomic_add(&count, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = count / 100;
}
