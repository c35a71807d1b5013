// finds: nothing
// global: 256
// local: 64
// arg: int count[4] = 7
// expect: count = 64
kernel void k(global int *count) {
    global int *own = &count[get_group_id(0)];
    if (get_local_id(0) == 0)
        *own = 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(own);
}
