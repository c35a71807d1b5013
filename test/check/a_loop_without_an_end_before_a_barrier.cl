// finds: deadlock 9
// illegal: finishes
// set: WEIR_CHECK_DEADLOCK=200
// global: 64
// local: 32
// The others wait for work-item 5.
kernel void k(void) {
    if (get_local_id(0) == 5)
        for (;;)
            ;
    barrier(CLK_LOCAL_MEM_FENCE);
}
