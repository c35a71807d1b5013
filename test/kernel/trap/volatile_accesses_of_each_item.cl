// global: 504
// arg: int count[1] = 0
// arg: int out[504]
// expect: out = i % 2 ? 10 : 0
kernel void k(volatile global int *count, global int *out) {
    volatile int mine = 0;
    for (int j = 0; j < 10; j++)
        if (get_global_id(0) % 2)
            mine++;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = mine;
}
