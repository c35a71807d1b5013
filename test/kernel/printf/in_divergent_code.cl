// global: 6
// local: 6
// print: odd 1
// print: odd 3
// print: odd 5
kernel void k(void) {
    if (get_global_id(0) % 2)
        printf("odd %d\n", (int)get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
}
