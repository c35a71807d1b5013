// finds: uninitialized-read 10 10
// illegal: finishes
// global: 64
// local: 64
// arg: int out[1]
kernel void k(global int *out) {
    local int sum;
    atomic_add(&sum, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) out[0] = sum;
}
