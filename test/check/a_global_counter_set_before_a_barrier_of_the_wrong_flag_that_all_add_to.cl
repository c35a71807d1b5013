// finds: missing-fence 9 11
// global: 128
// local: 64
// arg: int count[2]
kernel void k(global int *count) {
    global int *own = &count[get_group_id(0)];

    if (get_local_id(0) == 0)
        *own = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(own);
}
