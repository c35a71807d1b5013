// global: 504
// arg: int out[504]
// illegal: finishes
kernel void k(global int *out) {
    if (get_local_id(0) % 2)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
