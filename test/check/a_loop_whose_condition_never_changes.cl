// finds: deadlock 8
// illegal: finishes
// set: WEIR_CHECK_DEADLOCK=200
// global: 64
// local: 32
// arg: int n = 3
kernel void k(int n) {
    while (get_local_id(0) > n)
        ;
    barrier(CLK_LOCAL_MEM_FENCE);
}
