// finds: inter-group-race 8 10
// global: 256
// local: 64
// arg: int count[1] = 0
// illegal: finishes
kernel void k(global int *count) {
    if (get_global_id(0) == 0)
        count[0] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(count);
}
