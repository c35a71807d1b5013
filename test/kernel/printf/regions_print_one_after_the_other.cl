// global: 3
// local: 3
// print: before 0
// print: before 1
// print: before 2
// print: after 0
// print: after 1
// print: after 2
kernel void k(void) {
    printf("before %d\n", (int)get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    printf("after %d\n", (int)get_local_id(0));
}
