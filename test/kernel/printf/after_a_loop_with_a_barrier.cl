// global: 2
// local: 2
// print: round 0 item 0
// print: round 0 item 1
// print: round 1 item 0
// print: round 1 item 1
kernel void k(void) {
    for (int j = 0; j < 2; j++) {
        printf("round %d item %d\n", j, (int)get_local_id(0));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
